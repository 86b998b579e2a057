import HTTPServing
import HTTPTypes
import HummingbirdCore
import PlainValue
import WorkflowKit
import WorkflowStore

/// The headers `Idempotency-Key` and `If-Match`: only once, and only on a session as it was seen.
struct Conditions: Sendable {
    let key: String?
    let tags: [String]?

    /// - Throws: A ``Problem`` for an invalid header.
    init(_ request: Request) throws(Problem) {
        if let name = HTTPField.Name("Idempotency-Key"), request.headers[fields: name].count > 1 {
            throw Problem(
                .badRequest, "bad_request", "Two idempotency keys",
                detail: "A request has one of its own.")
        }
        key = try request.headers.value(of: "Idempotency-Key").map(Self.key)
        guard let text = request.headers[.ifMatch] else {
            tags = nil
            return
        }
        guard let expected = EntityTags(text) else {
            throw Problem(
                .badRequest, "bad_request", "Unreadable If-Match",
                detail: "It has ETags of a session in their quotes, such as \"41.97\".")
        }
        tags = expected.strong
    }

    /// The key without the quotes of the header, which many clients leave out.
    private static func key(_ text: String) throws(Problem) -> String {
        let key =
            text.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
            ? String(text.dropFirst().dropLast()) : text
        guard (1...200).contains(key.utf8.count), key.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
            throw Problem(
                .badRequest, "bad_request", "Unusable idempotency key",
                detail: "It has 1 to 200 printable ASCII characters, such as those of a UUID.")
        }
        return key
    }
}

extension Route.Call {
    /// The request's key, with a digest that tells another request under the same key.
    func requestKey(_ conditions: Conditions, _ body: Value) -> RequestKey? {
        conditions.key.map { key in
            let text = "\(request.method.rawValue) \(path) \(principal.name)\n\(body.json)"
            return RequestKey(key, digest: StableHash(text.utf8).value)
        }
    }
}
