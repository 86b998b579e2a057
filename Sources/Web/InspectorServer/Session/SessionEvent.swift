import NIOCore

/// An item of a stream.
enum SessionEvent: Sendable {
    /// A line of the session.
    case line(ByteBuffer)
    /// A sign of life.
    case heartbeat
    /// The end of the session or connection.
    case end(reason: String)
}
