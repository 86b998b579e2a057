import LibC
public import WorkflowKit
public import WorkflowLua

extension FlowSession {
    /// Lets programs of the same user attach by the JSON protocol: `workflow-run attach PATH`.
    ///
    /// ```swift
    /// let socket = try await session.listen(at: "/run/user/1000/notes.sock")
    /// ```
    ///
    /// Each client gets the current state of the session and then all events. One that does not
    /// read is dropped, so it cannot block the session. The file has the mode 0600. Other users,
    /// root included, are refused. The file of an ended process is replaced.
    ///
    /// - Important: A client may request everything except the session's end. It can run Lua code.
    /// - Parameter path: The path of the socket's file. The file is removed at the end.
    /// - Throws: A `FlowError` with the code `file` if something else is at the path or the file
    ///   cannot be made, and with the code `misuse` if the session is closed.
    @discardableResult
    public func listen(at path: String) throws(FlowError) -> FlowSocket {
        try listen(at: path, limits: SocketLimits(), user: geteuid())
    }

    /// Listens at a path. Without `greets`, clients get events only after the request `follow`.
    @discardableResult
    package func listen(at path: String, greets: Bool) throws(FlowError) -> FlowSocket {
        try listen(at: path, limits: SocketLimits(greets: greets), user: geteuid())
    }

    /// - Parameter forks: The forks that the session belongs to, if it is one.
    func listen(
        at path: String, limits: SocketLimits, user: uid_t, forks: SessionForks? = nil
    ) throws(FlowError) -> FlowSocket {
        guard !isClosed else { throw FlowError(.closed) }
        let file = try ListeningSocket(path: path)
        guard let pipe = WakePipe() else {
            file.removeFile()
            file.end()
            throw FlowError(.unmadeSocket, path, "too many files are open")
        }
        let ownForks = forks ?? SessionForks(path: file.path, limits: limits, user: user)
        let server = SocketServer(
            file, pipe: pipe, limits: limits, user: user, now: options.now, forks: ownForks,
            interrupt: { [weak self] in self?.interrupt() ?? false },
            serve: { [weak self, executor = options.executor] client in
                Task(executorPreference: executor) { [weak self] in
                    await self?.whenBegun { session in session.admit(client) }
                }
            })
        guard server.start() else {
            file.removeFile()
            file.end()
            throw FlowError(.noThread)
        }
        let socket = FlowSocket(path: path, server: server, forks: forks == nil ? ownForks : nil)
        attach(socket)
        return socket
    }

    private func admit(_ client: SocketClient) {
        if let (sequence, events) = greeting(isWanted: client.isGreeted) {
            client.attach(after: sequence, with: events)
        } else {
            client.finish("closed")
        }
        let executor = options.executor
        Task(executorPreference: executor) { [weak self] in
            // Clients do not keep the session open.
            defer {
                Task(executorPreference: executor) { [weak self] in await self?.forgetLooks() }
            }
            for await request in client.requests {
                guard let isLast = await self?.serve(request, of: client) else { break }
                client.finishRequest(request)
                if isLast { return client.finish("quit") }
            }
            client.finish("eof")
        }
    }

    /// Frees the memory of past steps that clients looked at.
    private func forgetLooks() { past.forgetLooks() }

    private func serve(_ request: RequestLines.Line, of client: SocketClient) -> Bool {
        switch request {
        case .text(let text):
            // The client keeps the closure, which sends it news.
            return serve(text, of: client.client) { [weak client] in client?.enqueue($0) }
        case .garbled: return serve(nil) { client.enqueue($0) }
        case .tooLong:
            client.enqueue(.error(FlowError(.longLine)))
            return false
        }
    }
}
