package import WorkflowKit

/// A Unix socket for clients of a running session; see `FlowSession.listen(at:)`.
///
/// ```swift
/// let socket = try await session.listen(at: path)
/// await socket.close()
/// ```
///
/// It stays open until ``close()``, or until its session is closed or released.
public final class FlowSocket: Sendable {
    /// The path that it was made with.
    public let path: String
    private let server: SocketServer
    /// The forks that end with the socket.
    private let forks: SessionForks?

    init(path: String, server: SocketServer, forks: SessionForks?) {
        self.path = path
        self.server = server
        self.forks = forks
    }

    deinit {
        forks?.endAll()
        server.stop()
    }

    /// Removes the file and ends all connections. The session continues.
    ///
    /// Clients get a last event. A client that does not read it within half a second is dropped.
    public func close() async {
        forks?.endAll()
        server.stop()
        await server.untilEnd()
    }
}

extension FlowSocket: FlowAttachment {
    /// True if no client can attach any more.
    package var isClosed: Bool { server.isClosing }

    package func receive(_ event: FlowEvent) { server.broadcast(event) }

    package func sessionWillEnd() {}
}
