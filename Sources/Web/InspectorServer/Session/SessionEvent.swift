import HTTPServing
import NIOCore
import PlainValue

/// An item of a stream.
enum SessionEvent: Sendable {
    /// A line of the session.
    case line(ByteBuffer)
    /// A sign of life.
    case heartbeat
    /// The end of the session or connection.
    case end(reason: String)

    /// The server-sent event.
    var bytes: ByteBuffer {
        switch self {
        case .heartbeat: EventBytes.heartbeat
        case .line(let line): EventBytes.event(data: line)
        case .end(let reason): EventBytes.event("bye", ["reason": .string(reason)])
        }
    }
}
