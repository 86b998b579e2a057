import PlainValue
import Synchronization
import WorkflowKit
import WorkflowLua

/// What one client of a socket has asked and is to be told.
///
/// The thread of the socket reads and sends; whoever has something to tell only leaves it here.
final class SocketClient: Sendable {
    private struct State {
        var outgoing = OutgoingLines()
        /// The number of the last event that the client was told.
        var lastSequence = 0
        /// Whether it is told of what happens in the session.
        var isAttached = false
        /// Whether all is said: the connection ends when it is sent.
        var isFinished = false
        /// The bytes of requests that were read and not served.
        var unserved = 0
    }

    let socket: Int32
    /// What it may ask, and how it is told; its number is that among those of the socket, from 1.
    let client: ProtocolClient
    /// What it asks, in order.
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

    /// Whether it is told of the session as it is before it asks anything.
    var isGreeted: Bool { limits.greets }

    /// Whether it is told of each event of the session.
    var wantsEvents: Bool { state.withLock(\.isAttached) && client.wantsEvents }

    /// Begins to tell what happens in the session; these events come first.
    func attach(after sequence: Int, with kinds: [FlowEvent.Kind]) {
        state.withLock { state in
            state.lastSequence = sequence
            state.isAttached = true
        }
        for kind in kinds {
            _ = client.patched(FlowEvent(sequence: sequence, milliseconds: 0, kind: kind))
            enqueue(kind)
        }
    }

    /// Tells something that is for this client alone. It has the number of the last event before it.
    func enqueue(_ kind: FlowEvent.Kind) {
        change { state in
            let line = line(kind, &state)
            add(line, &state)
        }
    }

    /// Tells an event of the session, whose line is given.
    func enqueue(_ event: FlowEvent, _ line: [UInt8]) {
        change { state in
            guard state.isAttached else { return }
            state.lastSequence = event.sequence
            guard client.wants(event) else { return }
            add(client.patched(event).map { Array(($0.json + "\n").utf8) } ?? line, &state)
        }
    }

    /// Says why the connection ends, and lets it end.
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
            let error = FlowError(
                .connection,
                "the client was dropped: it did not read, and more than "
                    + "\(limits.unread >> 10) KB of events waited for it",
                help: "attach again, and read what comes")
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

    /// Adds a request to those that wait.
    func ask(_ line: RequestLines.Line) {
        state.withLock { $0.unserved += line.size }
        incoming.yield(line)
    }

    /// Nothing more is asked; what was is served.
    func endRequests() { incoming.finish() }

    /// Notes that a request was served.
    func finishRequest(_ line: RequestLines.Line) {
        let reads = state.withLock { state in
            let wasFull = state.unserved >= limits.unserved
            state.unserved -= line.size
            return wasFull && state.unserved < limits.unserved
        }
        if reads { wake() }
    }

    // MARK: For the thread of the socket

    /// Whether there is room for more requests.
    var takesRequests: Bool {
        state.withLock { !$0.isFinished && $0.unserved < limits.unserved }
    }

    var hasUnsent: Bool { state.withLock { !$0.outgoing.isEmpty } }

    /// Whether all is said and sent.
    var isDone: Bool { state.withLock { $0.isFinished && $0.outgoing.isEmpty } }

    /// Sends what waits, as far as the client takes it; whether it is still there.
    func send() -> Bool {
        let (isThere, hasSent) = state.withLock { state in
            let hadUnsent = !state.outgoing.isEmpty
            let isThere = state.outgoing.send(to: socket)
            return (isThere, hadUnsent && state.outgoing.isEmpty)
        }
        if hasSent { client.follower?.resume() }
        return isThere
    }

    /// Notes that the client has gone.
    func leave() {
        state.withLock { state in
            state.isFinished = true
            state.outgoing.removeAll()
        }
        incoming.finish()
        client.follower?.end()
    }
}

/// How much a socket keeps for a client, and what it tells at first.
struct SocketLimits: Sendable {
    /// Whether a client is told of the session as it is before it asks anything.
    var greets = true
    /// The most bytes of a request.
    var line = 16 << 20
    /// From how many bytes of requests on that wait no more are read.
    var unserved = 1 << 20
    /// How many bytes of events may wait for a client; the one after them drops it.
    var unread = 8 << 20
    /// The most clients at a time.
    var clients = 64
}

extension RequestLines.Line {
    /// About the bytes that it takes.
    fileprivate var size: Int {
        if case .text(let text) = self { 64 + text.utf8.count } else { 64 }
    }
}
