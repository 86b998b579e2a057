import NIOCore
import PlainValue

/// A line of the JSON protocol from the session.
struct SessionRecord: Sendable {
    enum Kind: Sendable {
        case reply(id: Int)
        case news
        /// The end of the session or connection.
        case done(reason: String)
        case other
    }

    let kind: Kind
    let value: Value
    let line: ByteBuffer

    init?(_ line: ByteBuffer) {
        let value = line.withUnsafeReadableBytes { try? Value(json: $0, limits: .document) }
        guard let value, let type = value["type"]?.string else { return nil }
        self.value = value
        self.line = line
        switch type {
        case "reply":
            guard let id = value["id"]?.int else { return nil }
            kind = .reply(id: id)
        case "news": kind = .news
        case "done": kind = .done(reason: value["reason"]?.string ?? "closed")
        default: kind = .other
        }
    }

    /// The error of a failed reply.
    var error: Value? {
        guard value["ok"] == false else { return Value?.none }
        return value["error"] ?? .null
    }
}
