import HTTPServing
import HTTPTypes
import HummingbirdCore
import NIOCore
import PlainValue
import WorkerKit
import WorkflowKit
import WorkflowStore

extension Route.Call {
    /// Reads the body as an object; an empty body, of whatever type, is an empty object. Throws a
    /// ``Problem`` if it is not an object, is too large, or has other fields than these.
    func body(
        _ limits: ServiceLimits, _ fields: Set<String>
    ) async throws(Problem) -> Value.Record {
        let bytes = try await request.bytes(upTo: limits.body)
        let body = bytes.readableBytes == 0 ? [:] : try request.record(in: bytes)
        for (name, _) in body where !fields.contains(name) {
            throw .badField(
                name,
                fields.isEmpty
                    ? "is not a field here; there are none."
                    : "is not a field here; there are \(fields.sorted().joined(separator: ", ")).")
        }
        return body
    }

    func circumstances(
        _ body: Value.Record
    ) throws(Problem) -> ServedSessions.Circumstances {
        let conditions = try Conditions(request)
        return ServedSessions.Circumstances(
            principal: principal, key: requestKey(conditions, .record(body)), tags: conditions.tags)
    }

    /// The id of a new session: from the body, or derived from the request's key so that the
    /// request can be repeated, or random.
    func newID(
        in body: Value.Record, _ circumstances: ServedSessions.Circumstances
    ) throws(Problem) -> String {
        guard let id = try body.field("id", "a text", \.string) else {
            var bits = UInt128.random(in: 0...UInt128.max)
            if let key = circumstances.key {
                var hash = StableHash("\(principal.name)\n\(key.key)".utf8)
                let first = hash.value
                hash.add("\n\(path)".utf8)
                bits = UInt128(first) << 64 | UInt128(hash.value)
            }
            return String(bits, radix: 36)
        }
        guard id.isServedID else {
            throw .badField(
                "id",
                "has 1 to 100 letters, digits and the signs _.~:@-, "
                    + "and begins with none of .~:@-."
            )
        }
        return id
    }
}

extension String {
    /// True if a session may be created with this id.
    var isServedID: Bool {
        guard let first = utf8.first, !".~:@-".utf8.contains(first) else { return false }
        return utf8.count <= 100
            && utf8.allSatisfy { $0.isAlphanumeric || "_.~:@-".utf8.contains($0) }
    }
}

extension Value.Record {
    /// Reads a field; `nil` if it is missing. Throws a ``Problem`` if it has another type.
    func field<Result>(
        _ name: String, _ kind: String, _ read: (Value) -> Result?
    ) throws(Problem) -> Result? {
        guard let value = self[name] else { return nil }
        guard let result = read(value) else { throw .badField(name, "is \(kind).") }
        return result
    }

    func step() throws(Problem) -> Int? {
        try field("step", "a whole number from 0 to 2^53", \.natural)
    }
}

extension Problem {
    /// - Parameter rule: The predicate of a sentence about the field, such as `is a number.`
    static func badField(_ name: String, _ rule: String) -> Problem {
        Problem(
            .badRequest, "bad_request", "Unreadable field",
            detail: "'\(name.prefix(50))' \(rule)")
    }
}

extension URI {
    /// The value of a parameter, which must not be empty.
    func text(_ name: String) throws(Problem) -> String? {
        guard let text = parameter(name) else { return nil }
        guard !text.isEmpty else { throw .badField(name, "has at least one character.") }
        return text
    }
}
