import LibC
import PlainValue
public import WorkflowKit
public import WorkflowLua

extension FlowSession {
    /// Lets programs of the same user attach to the session: `workflow-run attach PATH`, or any that speaks the JSON
    /// protocol.
    ///
    /// ```swift
    /// let socket = try await session.listen(at: "/run/user/1000/notes.sock")
    /// ```
    ///
    /// Each client is told of the session as it is now and of all events from then on, and may ask for whatever the session
    /// can do but for its end. None holds it up: one that does not read is dropped. The file has the mode 0600, and other
    /// users, root as well, are refused. The file of a process that has ended is replaced.
    ///
    /// - Parameter path: Where the file is made, which is removed in the end.
    /// - Throws: A `FlowError` with the code `file` if there is something at the path already or the file cannot be
    ///   made, and with the code `misuse` if the session is closed.
    @discardableResult
    public func listen(at path: String) throws(FlowError) -> FlowSocket {
        try listen(at: path, limits: SocketLimits(), user: geteuid())
    }

    /// The same; clients that are not greeted are told of what happens only after they have asked to follow.
    @discardableResult
    package func listen(at path: String, greets: Bool) throws(FlowError) -> FlowSocket {
        try listen(at: path, limits: SocketLimits(greets: greets), user: geteuid())
    }

    /// The same with other limits, and for another user.
    ///
    /// - Parameter forks: Those that the session belongs to, if it is a fork.
    func listen(
        at path: String, limits: SocketLimits, user: uid_t, forks: SessionForks? = nil
    ) throws(FlowError) -> FlowSocket {
        guard !isClosed else {
            throw FlowError(.misuse, "the session is closed")
        }
        let file = try ListeningSocket(path: path)
        guard let pipe = WakePipe() else {
            file.removeFile()
            file.end()
            throw FlowError(.file, "the socket \(path) cannot be made: too many files are open")
        }
        let ownForks = forks ?? SessionForks(path: file.path, limits: limits, user: user)
        let server = SocketServer(
            file, pipe: pipe, limits: limits, user: user, now: options.now, forks: ownForks,
            interrupt: { [weak self] in self?.interrupt() ?? false },
            serve: { [weak self] client in
                Task { [weak self] in
                    await self?.whenBegun { session in session.admit(client) }
                }
            })
        guard server.start() else {
            file.removeFile()
            file.end()
            throw FlowError(.host, "there is no room for another thread")
        }
        let socket = FlowSocket(
            path: path, server: server, forks: forks == nil ? ownForks : nil)
        attach(socket)
        return socket
    }

    /// Serves a client from its first request to its last.
    private func admit(_ client: SocketClient) {
        if !isClosed, !client.isGreeted {
            client.attach(after: log.sequence, with: [])
        } else if let (sequence, events) = greeting() {
            client.attach(after: sequence, with: events)
        } else {
            client.finish("closed")
        }
        Task { [weak self] in
            // Clients do not keep the session open.
            defer { Task { [weak self] in await self?.forgetLooks() } }
            for await request in client.requests {
                guard let isLast = await self?.serve(request, of: client) else { break }
                client.finishRequest(request)
                if isLast { return client.finish("quit") }
            }
            client.finish("eof")
        }
    }

    /// Gives back what looking at steps has left.
    private func forgetLooks() { player.forgetLooks() }

    private func serve(_ request: RequestLines.Line, of client: SocketClient) -> Bool {
        switch request {
        case .text(let text):
            return serve(text, of: client.client) { client.enqueue($0) }
        case .garbled: return serve(nil) { client.enqueue($0) }
        case .tooLong:
            client.enqueue(.error(.noRequest("the line is too long")))
            return false
        }
    }
}
