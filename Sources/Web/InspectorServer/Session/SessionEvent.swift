import HTTPServing
import NIOCore
import PlainValue

/// An item of a stream.
enum SessionEvent: Sendable {
    case line(ByteBuffer)
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
