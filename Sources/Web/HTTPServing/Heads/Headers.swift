package import HTTPTypes
package import HummingbirdCore

extension Response {
    /// The response with the common security headers: no content from elsewhere, no text as script,
    /// no embedding or reading by other sites.
    package func secured() -> Response {
        var response = self
        for (name, value) in Self.rules {
            response.headers.set(name, to: value)
        }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        return response
    }

    private static let rules = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                + "connect-src 'self'; base-uri 'none'; form-action 'none'; "
                + "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
        ),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Referrer-Policy", "no-referrer"),
        ("X-Content-Type-Options", "nosniff"),
    ]
}

extension HTTPFields {
    /// Sets a header that the library does not define.
    package mutating func set(_ name: String, to value: String) {
        if let name = HTTPField.Name(name) { self[name] = value }
    }

    /// The value of a header that the library does not define.
    package func value(of name: String) -> String? { HTTPField.Name(name).flatMap { self[$0] } }
}
