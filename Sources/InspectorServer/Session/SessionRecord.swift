import NIOCore
import PlainValue

/// A line of the JSON protocol that came from the session.
struct SessionRecord: Sendable {
    enum Kind: Sendable {
        case reply(id: Int)
        case news
        /// The session or the connection is over.
        case done(reason: String)
        case other
    }

    let kind: Kind
    let value: Value
    /// The line itself.
    let line: ByteBuffer

    /// `nil` for a line that is none of the protocol.
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

    /// The error of a reply that has one.
    var error: Value? {
        guard value["ok"] == false else { return Value?.none }
        return value["error"] ?? .null
    }
}
