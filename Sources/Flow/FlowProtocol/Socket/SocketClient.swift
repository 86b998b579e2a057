import PlainValue
import Synchronization
import WorkflowKit
import WorkflowLua

/// A client of a socket: its requests, and the lines for it.
///
/// The socket's thread reads and sends. Other threads only add lines here.
final class SocketClient: Sendable {
    private struct State {
        var outgoing = OutgoingLines()
        /// The number of the client's last event.
        var lastSequence = 0
        var isAttached = false
        /// True if the connection ends after the waiting lines.
        var isFinished = false
        /// The bytes of the requests that wait to be served.
        var unserved = 0
    }

    let socket: Int32
    /// Its rights and settings. Its number counts the socket's clients from 1.
    let client: ProtocolClient
    let requests: AsyncStream<RequestLines.Line>
    private let incoming: AsyncStream<RequestLines.Line>.Continuation
    private let state = Mutex(State())
    private let limits: SocketLimits
    private let now: @Sendable () -> Int
    private let wake: @Sendable () -> Void

    init(
        socket: Int32, number: Int, limits: SocketLimits, now: @escaping @Sendable () -> Int,
        wake: @escaping @Sendable () -> Void
    ) {
        self.socket = socket
        client = ProtocolClient(number: number)
        self.limits = limits
        self.now = now
        self.wake = wake
        (requests, incoming) = AsyncStream<RequestLines.Line>.makeStream()
        client.setReady { [weak self] in self.map { !$0.hasUnsent } ?? true }
    }

    // MARK: Telling, from anywhere

    var isGreeted: Bool { limits.greets }

    var wantsEvents: Bool { state.withLock(\.isAttached) && client.wantsEvents }

    /// Starts sending the session's events, after these first ones.
    func attach(after sequence: Int, with kinds: [FlowEvent.Kind]) {
        state.withLock { state in
            state.lastSequence = sequence
            state.isAttached = true
        }
        for kind in kinds {
            _ = client.patches.patched(FlowEvent(sequence: sequence, milliseconds: 0, kind: kind))
            enqueue(kind)
        }
    }

    /// Sends an event for this client alone. It gets the number of the last event before it.
    func enqueue(_ kind: FlowEvent.Kind) {
        change { state in
            let line = line(kind, &state)
            add(line, &state)
        }
    }

    /// Sends an event of the session, whose line is given.
    func enqueue(_ event: FlowEvent, _ line: [UInt8]) {
        change { state in
            guard state.isAttached else { return }
            state.lastSequence = event.sequence
            guard client.wants(event) else { return }
            add(client.patches.patched(event).map { Array(($0.json + "\n").utf8) } ?? line, &state)
        }
    }

    /// Sends the reason for the end, then ends the connection.
    func finish(_ reason: String, _ error: FlowError? = nil) {
        change { state in
            guard !state.isFinished else { return }
            if let error { state.outgoing.add(line(.error(error), &state)) }
            state.outgoing.add(line(.done(reason: reason, exit: 0), &state))
            state.isFinished = true
        }
    }

    private func line(_ kind: FlowEvent.Kind, _ state: inout State) -> [UInt8] {
        var event = FlowEvent(sequence: state.lastSequence, milliseconds: now(), kind: kind)
        if case .ready = kind { event.client = client.number }
        return event.line
    }

    private func add(_ line: [UInt8], _ state: inout State) {
        guard !state.isFinished else { return }
        guard state.outgoing.byteCount <= limits.unread else {
            state.outgoing.removeUnbegun()
            let error = FlowError(.dropped, limits.unread >> 10)
            state.outgoing.add(self.line(.error(error), &state))
            state.outgoing.add(self.line(.done(reason: "dropped", exit: 0), &state))
            state.isFinished = true
            return
        }
        state.outgoing.add(line)
    }

    private func change(_ body: (inout State) -> Void) {
        let isNew = state.withLock { state in
            let wasEmpty = state.outgoing.isEmpty
            let wasFinished = state.isFinished
            body(&state)
            return wasEmpty && !state.outgoing.isEmpty || wasFinished != state.isFinished
        }
        if isNew { wake() }
    }

    // MARK: Asking

    func ask(_ line: RequestLines.Line) {
        state.withLock { $0.unserved += line.size }
        incoming.yield(line)
    }

    /// Ends the requests. Those in the queue are still served.
    func endRequests() { incoming.finish() }

    func finishRequest(_ line: RequestLines.Line) {
        let reads = state.withLock { state in
            let wasFull = state.unserved >= limits.unserved
            state.unserved -= line.size
            return wasFull && state.unserved < limits.unserved
        }
        if reads { wake() }
    }

    // MARK: For the thread of the socket

    /// True if the queue has room.
    var takesRequests: Bool {
        state.withLock { !$0.isFinished && $0.unserved < limits.unserved }
    }

    var hasUnsent: Bool { state.withLock { !$0.outgoing.isEmpty } }

    var isDone: Bool { state.withLock { $0.isFinished && $0.outgoing.isEmpty } }

    /// Sends as many waiting lines as possible. Returns false if the client has gone.
    func send() -> Bool {
        let (isThere, hasSent) = state.withLock { state in
            let hadUnsent = !state.outgoing.isEmpty
            let isThere = state.outgoing.send(to: socket)
            return (isThere, hadUnsent && state.outgoing.isEmpty)
        }
        if hasSent { client.follower?.resume() }
        return isThere
    }

    func leave() {
        state.withLock { state in
            state.isFinished = true
            state.outgoing.removeAll()
        }
        incoming.finish()
        client.follower?.end()
    }
}

struct SocketLimits: Sendable {
    /// True if a client gets the session's state before its first request.
    var greets = true
    /// The most bytes of a request.
    var line = 16 << 20
    /// No more requests are read while this many bytes of them wait.
    var unserved = 1 << 20
    /// The most bytes of events that may wait for a client; the next event drops it.
    var unread = 8 << 20
    var clients = 64
}

extension RequestLines.Line {
    /// Its approximate size in bytes.
    fileprivate var size: Int {
        if case .text(let text) = self { 64 + text.utf8.count } else { 64 }
    }
}
