import HTTPTypes
package import HummingbirdCore
import PlainValue

extension Request {
    package var cookies: [(name: String, value: String)] {
        headers[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { pair in
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
    }

    /// True if the request's `If-None-Match` contains an entity tag, also in its weak form. It is
    /// given without its quotes.
    package func knows(_ tag: String) -> Bool {
        headers[.ifNoneMatch].flatMap(EntityTags.init)?.contains(tag) ?? false
    }

    /// True if the client takes content in the encoding `gzip` (RFC 9110, 12.5.3).
    package var takesGzip: Bool {
        var takesOthers = false
        for element in headers[values: .acceptEncoding].flatMap({ $0.split(separator: ",") }) {
            let parts = element.split(separator: ";").map { part in
                part.filter { $0 != " " && $0 != "\t" }.lowercased()
            }
            let isWanted = !parts.dropFirst().contains { part in
                part.hasPrefix("q=") && Double(part.dropFirst(2)).map { $0 > 0 } != true
            }
            switch parts.first {
            case "gzip", "x-gzip": return isWanted
            case "*": takesOthers = isWanted
            default: break
            }
        }
        return takesOthers
    }
}

extension Request {
    /// Checks that the request has one `Host`, which is a host (RFC 9112, 3.2).
    package func checkHost() throws(Problem) {
        // The first one is the authority.
        guard let host = head.authority, headers.value(of: "Host") == nil, host.isAuthority else {
            throw Problem(
                .badRequest, "bad_request", "Unreadable host",
                detail: "A request has one Host, such as localhost:8080.")
        }
    }
}

extension String {
    /// True if it may be the authority of a URL: a host, also an empty one, and perhaps a port.
    fileprivate var isAuthority: Bool {
        var name = self[...]
        if !hasSuffix("]"), let colon = lastIndex(of: ":") {
            guard self[index(after: colon)...].utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
                return false
            }
            name = self[..<colon]
        }
        if name.hasPrefix("["), name.hasSuffix("]") {
            return name.dropFirst().dropLast().utf8.allSatisfy {
                Self.isOfName($0) || $0 == UInt8(ascii: ":")
            }
        }
        return name.utf8.allSatisfy(Self.isOfName)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~%!$&'()*+,;=".utf8.contains(byte)
        }
    }
}

extension URI {
    package func parameter(_ name: String) -> String? {
        queryParameters[Substring(name)].map(String.init)
    }

    /// The value of a numeric parameter, from 0 to 2⁵³.
    package func number(_ name: String) throws(Problem) -> Int? {
        guard let text = parameter(name) else { return nil }
        guard let number = Int(natural: text) else {
            throw Problem(
                .badRequest, "bad_request", "Unreadable parameter",
                detail: "'\(name)' is written in digits, such as 1, and at most 2^53.")
        }
        return number
    }
}
