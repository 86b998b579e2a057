import HTTPTypes
package import HummingbirdCore

extension Request {
    /// The value of a cookie.
    package func cookie(named name: String) -> String? {
        for header in headers[values: .cookie] {
            for pair in header.split(separator: ";") {
                let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
                if parts.count == 2, parts[0] == name { return String(parts[1]) }
            }
        }
        return nil
    }
}

extension URI {
    /// The value of a parameter.
    package func parameter(_ name: String) -> String? {
        queryParameters[Substring(name)].map(String.init)
    }

    /// The value of a parameter that is a number of digits.
    package func number(_ name: String) throws(Problem) -> Int? {
        guard let text = parameter(name) else { return nil }
        guard text.utf8.allSatisfy({ 48...57 ~= $0 }), let number = Int(text) else {
            throw Problem(
                .badRequest, "bad_request", "The \(name) is no number",
                detail: "It is written in digits, such as 1.")
        }
        return number
    }
}
