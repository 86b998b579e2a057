import NIOCore

/// What a stream is told next.
enum SessionEvent: Sendable {
    /// A line of the session.
    case line(ByteBuffer)
    /// Nothing; the stream is still there.
    case heartbeat
    /// The session or the connection is over.
    case end(reason: String)
}
