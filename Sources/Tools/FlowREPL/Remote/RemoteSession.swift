import Dispatch
import FlowPrinting
import FlowProtocol
import PlainValue
import Synchronization
import Terminal
package import WorkflowKit
import WorkflowLua

/// A session of another process, reached by the JSON protocol. Requests wait for their replies, and
/// events go to the feed.
package final class RemoteSession: Sendable {
    /// A reply, and the events taken from the feed with it.
    struct Reply: Sendable {
        var value = Value.null
        /// Further values of an expression.
        var more: [Value] = []
        var error: FlowError?
        var items: [SessionFeed.Item] = []
    }

    private struct Waiter {
        let continuation: CheckedContinuation<Reply, Never>
        /// True if the reply takes the events before it from the feed.
        let takesFeed: Bool
    }

    private struct State {
        var lastID = 0
        var waiters: [Int: Waiter] = [:]
        var header: FlowHeader?
        var rendering = Value.null
        var status = FlowStatus(name: "")
        /// A requested snapshot, until its reply comes.
        var snapshot: Value?
        var ending: SessionEnding?
        /// The last error before the end.
        var lastError: FlowError?
        var greeting: CheckedContinuation<Void, Never>?
    }

    /// After this many seconds without a greeting a notice is written.
    private static let patience = 5.0

    package let feed: SessionFeed
    private let connection: SocketConnection
    private let state = Mutex(State())
    private let onNews: @Sendable () -> Void
    private let isHurried: @Sendable () -> Bool

    /// Connects to the session whose socket is at a path; ``begin()`` waits for its greeting.
    ///
    /// - Parameters:
    ///   - onNews: Called when there are new events or the session has ended.
    ///   - isHurried: Returns true if requests must not wait for replies now; see ``endWaits()``.
    package init(
        path: String, onNews: @escaping @Sendable () -> Void,
        isHurried: @escaping @Sendable () -> Bool = { false }
    ) throws {
        connection = try SocketConnection(path: path)
        self.onNews = onNews
        self.isHurried = isHurried
        feed = SessionFeed(onNews: onNews)
    }

    /// Attaches to the session whose socket is at a path.
    package static func attach(
        to path: String, onNews: @escaping @Sendable () -> Void
    ) async throws -> RemoteSession {
        let session = try RemoteSession(path: path, onNews: onNews)
        try await session.begin()
        return session
    }

    /// Waits for the greeting.
    package func begin() async throws {
        let path = connection.path
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { [weak self] in
            guard let self, state.withLock({ $0.header == nil && $0.ending == nil }) else { return }
            OutputStream.standardError.write("waiting for the program at \(path), which is busy\n")
        }
        await withCheckedContinuation { greeting in
            state.withLock { state in
                assert(state.greeting == nil, "a session begins twice")
                state.greeting = greeting
            }
            // Reading blocks, so it has its own thread.
            DispatchQueue(label: "socket").async { self.read() }
        }
        let (header, error) = state.withLock { ($0.header, $0.lastError) }
        // A session that greeted and then ended is opened like any other.
        guard header != nil else {
            throw error.map { Refusal($0, .unavailable) } ?? Refusal(FlowError(.endedAtOnce, path))
        }
        _ = await ask("status")
    }

    /// The session's header; `nil` before the greeting.
    package var header: FlowHeader? { state.withLock { $0.header } }

    var file: String? { state.withLock { $0.header?.file } }

    var lastStatus: FlowStatus { state.withLock { $0.status } }

    var lastRendering: Value { state.withLock { $0.rendering } }

    func removeSnapshot() -> Value? {
        state.withLock { state in
            defer { state.snapshot = nil }
            return state.snapshot
        }
    }

    package var ending: SessionEnding? { state.withLock { $0.ending } }

    package func detach() { connection.end() }

    // MARK: Reading

    private func read() {
        connection.readLines { receive($0) }
        end(
            SessionEnding(
                message: .notice(
                    "error: the connection was lost: the program at "
                        + "\(connection.path) has ended\n"), status: .io))
    }

    /// Receives a line. Returns false after the last one.
    private func receive(_ line: [UInt8]) -> Bool {
        guard let record = try? Value(json: line, limits: .document), let version = record["v"]?.int
        else {
            refuse("what listens at \(connection.path) does not speak the protocol of flows")
            return false
        }
        guard version == FlowEvent.protocolVersion else {
            refuse(
                "the program at \(connection.path) speaks version \(version) of the protocol, "
                    + "and this is version \(FlowEvent.protocolVersion)",
                help: "attach with the workflow-run of the version that the program is built with")
            return false
        }
        // Unknown types belong to later versions.
        guard let event = FlowEvent(record: record) else { return true }
        switch event.kind {
        case .reply(let id, let value, let error):
            hand(Reply(value: value ?? .null, error: error), to: id.natural ?? 0)
            return true
        case .values(let id, let values):
            hand(
                Reply(value: values.first ?? .null, more: Array(values.dropFirst())),
                to: id.natural ?? 0)
            return true
        case .snapshot(let document):
            state.withLock { $0.snapshot = document }
            return true
        case .done(let reason, _):
            receiveEnd(reason)
            return false
        case .ready(let header): state.withLock { $0.header = header }
        case .rendering(let rendering, let actions, _):
            state.withLock { state in
                state.rendering = rendering
                state.status.actionTypes = actions
            }
        case .error(let error): state.withLock { $0.lastError = error }
        default: break
        }
        feed.add(event)
        if case .rendering = event.kind { greet() }
        return true
    }

    private func hand(_ reply: Reply, to id: Int) {
        var reply = reply
        let waiter = state.withLock { state in
            if let status = FlowStatus(document: reply.value) { state.status = status }
            return state.waiters.removeValue(forKey: id)
        }
        feed.replyCame()
        guard let waiter else { return onNews() }
        if waiter.takesFeed { reply.items = feed.removeAll() }
        waiter.continuation.resume(returning: reply)
    }

    private func receiveEnd(_ reason: String) {
        let error = state.withLock { $0.lastError }
        if reason == "dropped" || reason == "refused" {
            // The error before it gives the reason.
            return end(
                SessionEnding(message: .notice(""), status: error == nil ? .io : .unavailable))
        }
        end(SessionEnding(message: .notice("note: the session has ended\n"), status: .success))
    }

    private func refuse(_ message: String, help: String? = nil) {
        let error = FlowError(.connection, message, help: help)
        state.withLock { $0.lastError = error }
        end(
            SessionEnding(
                message: .notice(ErrorPrinter(style: Style(isColored: false)).text(error)),
                status: .unavailable))
    }

    /// Ends the session; only the first reason counts.
    private func end(_ ending: SessionEnding) {
        let (waiters, isFirst) = state.withLock { state in
            let isFirst = state.ending == nil
            if isFirst { state.ending = ending }
            defer { state.waiters = [:] }
            return (state.waiters.values, isFirst)
        }
        for waiter in waiters { waiter.continuation.resume(returning: ended(waiter.takesFeed)) }
        greet()
        if isFirst { onNews() }
    }

    /// The reply after the end.
    private func ended(_ takesFeed: Bool) -> Reply {
        Reply(error: FlowError(.ended), items: takesFeed ? feed.removeAll() : [])
    }

    private func greet() {
        let greeting = state.withLock { state in
            defer { state.greeting = nil }
            return state.greeting
        }
        greeting?.resume()
    }

    // MARK: Asking

    /// Sends a request and waits for its reply.
    func ask(
        _ verb: String, _ fields: Value.Record = [:], takingFeed: Bool = false
    ) async -> Reply {
        await withCheckedContinuation { continuation in
            let id = state.withLock { state -> Int? in
                guard state.ending == nil else { return nil }
                state.lastID += 1
                state.waiters[state.lastID] = Waiter(
                    continuation: continuation, takesFeed: takingFeed)
                return state.lastID
            }
            guard let id else { return continuation.resume(returning: ended(takingFeed)) }
            var request = fields
            request["do"] = .string(verb)
            request["id"] = .int(id)
            // If the request cannot be sent, the end of the connection answers it.
            connection.send(Value.record(request).json.utf8)
            if isHurried() { endWaits() }
        }
    }

    /// Calls `onNews` when the session has processed everything so far.
    func announce() {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        // Nobody waits for the reply.
        let request: Value = ["do": "status", "id": .int(id)]
        connection.send(request.json.utf8)
    }

    /// Ends the waits for replies, from any thread: the session is busy with a call that may never
    /// end. A request that waited fails with the code `interrupted`.
    package func endWaits() {
        let waiters = state.withLock { state in
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters {
            waiter.continuation.resume(returning: Reply(error: FlowError(.busy)))
        }
    }

    /// Sends a request and returns the value of its reply, or throws its error.
    @discardableResult
    func request(
        _ verb: String, _ fields: Value.Record = [:]
    ) async throws(FlowError) -> Value {
        let reply = await ask(verb, fields)
        if let error = reply.error { throw error }
        return reply.value
    }

    /// Interrupts the flow's current call, from any thread.
    func interrupt() { connection.send(#"{"do":"interrupt"}"#.utf8) }
}
