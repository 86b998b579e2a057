import HTTPTypes
package import HummingbirdCore
import PlainValue

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

    /// True if the request's `If-None-Match` contains an entity tag, also in its weak form (RFC 9110,
    /// 13.1.2).
    package func knows(_ tag: String) -> Bool {
        guard let known = headers[.ifNoneMatch] else { return false }
        return known.split(separator: ",").contains { text in
            let text = text.filter { $0 != " " }
            return text == "*" || text == tag || text == "W/" + tag
        }
    }
}

extension URI {
    /// The value of a parameter.
    package func parameter(_ name: String) -> String? {
        queryParameters[Substring(name)].map(String.init)
    }

    /// The value of a numeric parameter, from 0 to 2⁵³.
    package func number(_ name: String) throws(Problem) -> Int? {
        guard let text = parameter(name) else { return nil }
        guard let number = Int(natural: text) else {
            throw Problem(
                .badRequest, "bad_request", "The \(name) is not a number",
                detail: "It is written in digits, such as 1, and at most 2^53.")
        }
        return number
    }
}
