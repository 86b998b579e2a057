import HTTPServing
import NIOCore
import NIOPosix
import PlainValue
import Synchronization

/// A connection to a session's socket. It sends requests, and queues news until a browser reads it.
/// While too much waits, no more is read, and the session combines its news.
final class SessionConnection: Sendable {
    private struct State {
        var channel: (any Channel)?
        var lastID = 0
        var pending: [Int: CheckedContinuation<SessionRecord, any Error>] = [:]
        var events: [SessionEvent] = []
        var eventBytes = 0
        var waiter: CheckedContinuation<SessionEvent, Never>?
        /// True after the greeting.
        var isReady = false
        /// True while reading is paused.
        var isHeld = false
        /// The reason of the end.
        var end: String?
    }

    private let state = Mutex(State())
    private let limits: InspectorLimits
    /// True if events are queued; otherwise only replies matter.
    private let keepsEvents: Bool

    init(limits: InspectorLimits, keepsEvents: Bool) {
        self.limits = limits
        self.keepsEvents = keepsEvents
    }

    func connect(to path: String, on group: any EventLoopGroup) async throws(Problem) {
        let limits = limits
        do {
            let channel = try await ClientBootstrap(group: group)
                .channelOption(.autoRead, value: false)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(
                            SessionLines(connection: self, longest: limits.line))
                    }
                }
                .connect(unixDomainSocketPath: path).get()
            state.withLock { $0.channel = channel }
        } catch {
            throw .sessionGone
        }
    }

    var isOver: Bool { state.withLock { $0.end != nil } }

    func becomeReady() { state.withLock { $0.isReady = true } }

    // MARK: Asking

    func request(_ fields: Value.Record) async throws(Problem) -> SessionRecord {
        do {
            return try await withCheckedThrowingContinuation { continuation in
                let sending = state.withLock { state -> Result<(any Channel, Int), Problem> in
                    guard state.end == nil, let channel = state.channel else {
                        return .failure(.sessionGone)
                    }
                    guard state.pending.count < limits.pending else {
                        return .failure(.tooManyRequests)
                    }
                    state.lastID += 1
                    state.pending[state.lastID] = continuation
                    return .success((channel, state.lastID))
                }
                switch sending {
                case .failure(let problem): continuation.resume(throwing: problem)
                case .success((let channel, let id)):
                    var fields = fields
                    fields["id"] = .int(id)
                    var bytes: [UInt8] = []
                    Value.record(fields).write(json: .compact, into: &bytes)
                    bytes.append(UInt8(ascii: "\n"))
                    channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
                }
            }
        } catch let problem as Problem {
            throw problem
        } catch {
            throw .sessionGone
        }
    }

    // MARK: Being told

    /// Waits for the next event. Only one task may wait at a time.
    func nextEvent() async -> SessionEvent {
        await withCheckedContinuation { waiter in
            let (event, channel) = state.withLock { state -> (SessionEvent?, (any Channel)?) in
                if !state.events.isEmpty {
                    let event = state.events.removeFirst()
                    if case .line(let line) = event { state.eventBytes -= line.readableBytes }
                    guard state.isHeld, state.eventBytes < limits.news else { return (event, nil) }
                    state.isHeld = false
                    return (event, state.channel)
                }
                if let end = state.end { return (.end(reason: end), nil) }
                state.waiter = waiter
                return (nil, nil)
            }
            channel?.read()
            if let event { waiter.resume(returning: event) }
        }
    }

    func close(_ reason: String) {
        end(reason)
        state.withLock { $0.channel }?.close(promise: nil)
    }

    // MARK: For its channel

    /// True if more may be read now; otherwise reading continues later.
    func wantsMore() -> Bool {
        state.withLock { state in
            state.isHeld = state.eventBytes >= limits.news
            return !state.isHeld
        }
    }

    var isReady: Bool { state.withLock(\.isReady) }

    func receive(_ line: ByteBuffer) {
        guard let record = SessionRecord(line) else { return }
        switch record.kind {
        case .reply(let id):
            state.withLock { $0.pending.removeValue(forKey: id) }?.resume(returning: record)
        case .news: add(.line(line))
        case .done(let reason): end(reason)
        case .other: if isReady { add(.line(line)) }
        }
    }

    /// Adds a heartbeat if nothing else waits.
    func beat() {
        if state.withLock({ $0.events.isEmpty }) { add(.heartbeat) }
    }

    func end(_ reason: String) {
        let old = state.withLock { state in
            let old = state
            if state.end == nil { state.end = reason }
            if reason == StreamEnd.notGranted { state.events = [] }
            state.pending = [:]
            state.waiter = nil
            return old
        }
        for request in old.pending.values { request.resume(throwing: Problem.sessionGone) }
        old.waiter?.resume(returning: .end(reason: old.end ?? reason))
    }

    private func add(_ event: SessionEvent) {
        guard keepsEvents else { return }
        let waiter = state.withLock { state -> CheckedContinuation<SessionEvent, Never>? in
            guard state.end == nil else { return nil }
            if let waiter = state.waiter {
                state.waiter = nil
                return waiter
            }
            state.events.append(event)
            if case .line(let line) = event { state.eventBytes += line.readableBytes }
            return nil
        }
        waiter?.resume(returning: event)
    }
}

extension Problem {
    static let sessionGone = Problem(
        .serviceUnavailable, "connection", "Session not reachable",
        detail: "Its program has ended, or takes no more clients.", retryAfter: 1)

    fileprivate static let tooManyRequests = Problem(
        .serviceUnavailable, "busy", "Too many requests for the session",
        detail: "Ask again when others are answered.", retryAfter: 1)
}
