package import WorkflowKit

/// A Unix socket at which clients attach to a session while it is being played; see `FlowSession.listen(at:)`.
///
/// It is open until ``close()``, or until its session is closed or released.
public final class FlowSocket: Sendable {
    /// The path that it was made with.
    public let path: String
    private let server: SocketServer
    /// The forks that end with it.
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

    /// Removes the file and ends all connections; the session goes on.
    ///
    /// Clients are told that it is over. Those that do not read what waits for them are left behind after half a second.
    public func close() async {
        forks?.endAll()
        server.stop()
        await server.untilEnd()
    }
}

extension FlowSocket: FlowAttachment {
    /// Whether nobody can attach any more.
    package var isClosed: Bool { server.isClosing }

    package func receive(_ event: FlowEvent) { server.broadcast(event) }
}
