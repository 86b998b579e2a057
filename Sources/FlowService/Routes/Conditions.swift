import HTTPServing
import HTTPTypes
import HummingbirdCore
import PlainValue
import WorkflowStore

/// What a request that changes something asks for besides: to be done once, and only to the session that was seen.
struct Conditions: Sendable {
    /// The text by which a request that comes again is known.
    let key: String?
    /// The step at which the session is to stand; `nil` if any will do.
    let step: Int?

    /// - Throws: A ``Problem`` for a header that cannot be read.
    init(_ request: Request) throws(Problem) {
        if let name = HTTPField.Name("Idempotency-Key"), request.headers[fields: name].count > 1 {
            throw Problem(
                .badRequest, "bad_request", "There are two Idempotency-Keys",
                detail: "A request has one of its own.")
        }
        key = try request.headers.value(of: "Idempotency-Key").map(Self.key)
        step = try request.headers[.ifMatch].flatMap(Self.step)
    }

    /// The key as it is kept: the header has it in quotes, which many leave out.
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
        // An ETag has quotes, which many leave out.
        let digits =
            text.count > 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
            ? text.dropFirst().dropLast() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ 48...57 ~= $0 }), let step = Int(digits)
        else {
            throw Problem(
                .badRequest, "bad_request", "The If-Match cannot be used",
                detail: "It is the ETag of a session: the number of its step, such as \"41\".")
        }
        return step
    }
}

extension Route.Call {
    /// The key of the request, with a number that tells it from others under the same key: it hangs on the method, the
    /// path, who asks and the body.
    func requestKey(_ conditions: Conditions, _ body: Value) -> RequestKey? {
        conditions.key.map { key in
            var hash = StableHash()
            hash.add("\(request.method.rawValue) \(request.uri.path) \(principal.name)\n")
            hash.add(body.json)
            return RequestKey(key, digest: hash.value)
        }
    }
}

/// FNV-1a over 64 bits. It is there to find mistakes, not to keep out attackers, who could as well take another key.
struct StableHash {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ text: String) {
        for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
}
