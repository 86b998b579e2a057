import LibC
import PlainValue
import WorkflowKit

/// The loop of a socket's thread, which waits for all its files at once.
struct SocketLoop {
    private struct Connection {
        let client: SocketClient
        var lines: RequestLines
        /// True if the client sends no more requests.
        var hasEnded = false
    }

    private let server: SocketServer
    private var connections: [Connection] = []
    /// True if a client waits for which there was no file descriptor, not even to refuse it.
    private var isStuck = false
    /// A spare file descriptor, used to refuse a client when there are no others.
    private var spare: Int32
    /// The time after which slow clients are dropped.
    private var deadline: ContinuousClock.Instant?
    private var chunk = [UInt8](repeating: 0, count: 64 << 10)

    init(_ server: SocketServer) {
        self.server = server
        spare = server.pipe.makeSpare()
    }

    mutating func run() {
        while true {
            if server.isClosing, deadline == nil { beginEnd() }
            if let deadline, connections.isEmpty || ContinuousClock.now >= deadline { break }
            var files = [pollfd(fd: server.pipe.reader, events: Int16(POLLIN), revents: 0)]
            let listens = deadline == nil && !isStuck
            files.append(
                pollfd(fd: listens ? server.file.socket : -1, events: Int16(POLLIN), revents: 0))
            files += connections.map { connection in
                let events =
                    (wantsInput(connection) ? POLLIN : 0)
                    | (connection.client.hasUnsent ? POLLOUT : 0)
                return pollfd(fd: connection.client.socket, events: Int16(events), revents: 0)
            }
            let count = poll(&files, nfds_t(files.count), timeout)
            if count < 0, errno != EINTR { break }
            server.pipe.drain()
            // The waiting connections, before new ones are added.
            connections = zip(connections, files.dropFirst(2)).compactMap { connection, file in
                var connection = connection
                return serve(&connection, Int32(file.revents)) ? connection : nil
            }
            isStuck = false
            if listens, files[1].revents != 0 { accept() }
        }
        if deadline == nil { beginEnd() }
        for connection in connections { server.dismiss(connection.client) }
        if spare >= 0 { close(spare) }
    }

    private mutating func beginEnd() {
        assert(deadline == nil)
        deadline = .now + SocketServer.patience
        server.file.removeFile()
        // Clients that have connected by now are told too.
        accept()
        server.file.end()
        for connection in connections { connection.client.finish("closed") }
    }

    /// The timeout in milliseconds; -1 is no timeout.
    private var timeout: Int32 {
        if let deadline {
            let left = (deadline - .now) / .milliseconds(1)
            return Int32(max(left.rounded(.up), 0))
        }
        return isStuck ? 100 : -1
    }

    private func wantsInput(_ connection: Connection) -> Bool {
        deadline == nil && !connection.hasEnded && connection.client.takesRequests
    }

    private mutating func accept() {
        do throws(SystemFailure) {
            while let (socket, user) = try server.file.accept() {
                guard let client = server.admit(socket, user) else { continue }
                connections.append(
                    Connection(
                        client: client, lines: RequestLines(longest: server.limits.line)))
            }
        } catch {
            isStuck = !refuseOne(error)
        }
    }

    /// Refuses one client for lack of file descriptors, by means of the spare one. Otherwise the
    /// client would wait until another one leaves. Returns false if there was none.
    private mutating func refuseOne(_ failure: SystemFailure) -> Bool {
        guard failure.number == EMFILE || failure.number == ENFILE, spare >= 0 else { return false }
        close(spare)
        defer { spare = server.pipe.makeSpare() }
        guard let (socket, user) = (try? server.file.accept()) ?? nil else { return false }
        server.refuse(socket, user, for: failure)
        return true
    }

    /// Reads from a client and sends to it. Returns false if the connection ends.
    private mutating func serve(_ connection: inout Connection, _ events: Int32) -> Bool {
        let client = connection.client
        let isBroken = events & (POLLHUP | POLLERR | POLLNVAL) != 0
        if !connection.hasEnded, isBroken || (events & POLLIN != 0 && wantsInput(connection)) {
            // Requests that were sent before the connection broke are served too.
            repeat { read(&connection, isBroken: isBroken) } while isBroken && !connection.hasEnded
        }
        let isGone = isBroken || !client.send()
        guard isGone || client.isDone else { return true }
        if !connection.hasEnded { client.endRequests() }
        server.dismiss(client)
        return false
    }

    private mutating func read(_ connection: inout Connection, isBroken: Bool) {
        let count = recv(connection.client.socket, &chunk, chunk.count, 0)
        if count > 0 {
            for line in connection.lines.add(chunk[..<count]) { serve(line, of: connection.client) }
            return
        }
        if count < 0 {
            let isEmpty = errno == EAGAIN || errno == EWOULDBLOCK
            if errno == EINTR || (isEmpty && !isBroken) { return }
        } else if let line = connection.lines.end() {
            serve(line, of: connection.client)
        }
        connection.hasEnded = true
        connection.client.endRequests()
    }

    private func serve(_ line: RequestLines.Line, of client: SocketClient) {
        // A client without the right is refused when its request is served.
        guard client.client.may(.act), let (id, isUnderWay) = interrupt(line) else {
            return client.ask(line)
        }
        if let id { client.enqueue(.reply(id: id, value: .bool(isUnderWay))) }
    }

    /// Interrupts the session if a line asks for it. This happens at once, because the call to
    /// interrupt keeps the session from serving requests.
    private func interrupt(_ line: RequestLines.Line) -> (id: Value?, isUnderWay: Bool)? {
        // A longer line is not just an interrupt and is not worth parsing twice.
        guard case .text(let text) = line, text.utf8.count < 1024,
            let request = try? Value(json: text), request["do"] == "interrupt"
        else { return nil }
        return (request["id"], server.interrupt())
    }
}
