import HTTPServing
import HTTPTypes
import HummingbirdCore
import PlainValue
import WorkflowStore

/// The headers `Idempotency-Key` and `If-Match`: execute once, and only at a certain step.
struct Conditions: Sendable {
    /// The key that identifies a repeated request.
    let key: String?
    /// The expected step of the session; `nil` for any.
    let step: Int?

    /// - Throws: A ``Problem`` for an invalid header.
    init(_ request: Request) throws(Problem) {
        if let name = HTTPField.Name("Idempotency-Key"), request.headers[fields: name].count > 1 {
            throw Problem(
                .badRequest, "bad_request", "There are two Idempotency-Keys",
                detail: "A request has one of its own.")
        }
        key = try request.headers.value(of: "Idempotency-Key").map(Self.key)
        step = try request.headers[.ifMatch].flatMap(Self.step)
    }

    /// The key without the quotes of the header, which many clients leave out.
    private static func key(_ text: String) throws(Problem) -> String {
        let key =
            text.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
            ? String(text.dropFirst().dropLast()) : text
        guard (1...200).contains(key.utf8.count), key.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
            throw Problem(
                .badRequest, "bad_request", "The Idempotency-Key cannot be used",
                detail: "It has 1 to 200 printable ASCII characters, such as those of a UUID.")
        }
        return key
    }

    private static func step(_ text: String) throws(Problem) -> Int? {
        if text == "*" { return nil }
        // Many clients leave out the quotes of an ETag.
        let digits =
            text.count > 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
            ? text.dropFirst().dropLast() : text[...]
        guard let step = Int(natural: digits) else {
            throw Problem(
                .badRequest, "bad_request", "The If-Match cannot be used",
                detail: "It is the ETag of a session: the number of its step, such as \"41\".")
        }
        return step
    }
}

extension Route.Call {
    /// The key of the request, with a digest of the method, path, principal and body that detects another
    /// request under the same key.
    func requestKey(_ conditions: Conditions, _ body: Value) -> RequestKey? {
        conditions.key.map { key in
            var hash = StableHash()
            hash.add("\(request.method.rawValue) \(request.uri.path) \(principal.name)\n")
            hash.add(body.json)
            return RequestKey(key, digest: hash.value)
        }
    }
}

/// FNV-1a over 64 bits. It detects mistakes, not attacks: an attacker could use another key.
struct StableHash {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ text: String) {
        for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
}
