import WorkerKit

/// An HTTP or HTTPS URL in a canonical form, which is both granted and requested.
///
/// It is built from parts that were parsed once. So different parsers cannot disagree about where a
/// URL leads, whether because of `user@host`, case, a final dot, or an encoded host.
struct Target: Sendable, Hashable {
    /// `http` or `https`.
    let scheme: String
    /// A lower-case name, an IPv4 address, or an IPv6 address in brackets.
    let host: String
    let port: Int
    /// The path, which starts with `/`, and the query.
    let path: String

    /// - Throws: A ``WorkerError`` with the code `bad_input`.
    init(_ url: String) throws(WorkerError) {
        let authority = try Access.http(url: url).target ?? ""
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count > 1, let last = parts.last, let port = Int(last) else {
            throw WorkerError(
                "bad_input", "\(url.debugDescription) is not a URL of http or https")
        }
        self.port = port
        host = parts.dropLast().joined(separator: ":")
        scheme = String(url.prefix { $0 != ":" }).lowercased()
        let afterScheme = url.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2)
        let rest = afterScheme.drop { !"/?#".utf8.contains($0) }
            .prefix { $0 != UInt8(ascii: "#") }
        path = Self.encode(rest.first == UInt8(ascii: "/") ? Array(rest) : [0x2F] + rest)
    }

    /// The URL, without the scheme's default port.
    var url: String { "\(scheme)://\(authority)\(path)" }

    /// The host, and the port unless it is the scheme's default.
    var authority: String {
        port == (scheme == "https" ? 443 : 80) ? host : "\(host):\(port)"
    }

    var access: Access { Access("http", "\(host):\(port)") }

    /// True if both have the same origin, so that headers for one may be sent to the other.
    func hasOrigin(of other: Target) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    /// Encodes the bytes that are invalid in URLs, and each `%` that encodes nothing.
    private static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            let isGood =
                byte == UInt8(ascii: "%")
                ? index + 2 < bytes.count && isHex(bytes[index + 1]) && isHex(bytes[index + 2])
                : byte.isAlphanumeric || marks.contains(byte)
            if isGood {
                text.append(byte)
            } else {
                text += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static let hex = Array("0123456789ABCDEF".utf8)
    private static let marks = Set("-._~!$&'()*+,;=:@/?".utf8)

    private static func isHex(_ byte: UInt8) -> Bool {
        hex.contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
