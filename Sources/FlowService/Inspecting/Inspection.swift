import FlowServing
import InspectorServer
import NIOPosix
import PlainValue
import WorkflowKit
import WorkflowLua
import WorkflowStore

/// A session of the service as the inspector shows it: a copy that plays what is kept of the session, and follows it.
///
/// So nothing is told that is not kept, and looking holds nobody up who uses the session. The copy's workers do nothing;
/// what changes the session is asked of the session itself.
actor Inspection {
    /// What pages ask goes through it.
    nonisolated let gateway: SessionGateway
    /// The step of the session at which the copy begins: its step 0.
    nonisolated let base: Int

    private let id: String
    private let sessions: ServedSessions
    private let limits: ServiceLimits
    private let copy: FlowSession
    private let place: PrivateSocket
    private var mailbox: SessionMailbox
    /// The version of the session that the copy shows.
    private var version: Int
    /// The bytes of the inputs that the copy has taken since it began.
    private var bytes = 0
    /// What catches up after whatever was asked before.
    private var last: Task<Void, any Error>?
    private var end: String?

    /// Makes a copy of a session.
    ///
    /// - Parameter onLeave: Called when a page is closed.
    /// - Throws: What keeps the session from being read or played, or a ``Problem``.
    static func open(
        _ id: String, in sessions: ServedSessions, _ limits: ServiceLimits,
        onLeave: @escaping @Sendable () -> Void
    ) async throws -> Inspection {
        // Before it is read, so that nothing is missed.
        let mailbox = try sessions.readers.add(to: id)
        do {
            return try await Inspection(id, in: sessions, limits, mailbox, onLeave)
        } catch {
            sessions.readers.remove(mailbox, from: id)
            throw error
        }
    }

    private init(
        _ id: String, in sessions: ServedSessions, _ limits: ServiceLimits,
        _ mailbox: SessionMailbox, _ onLeave: @escaping @Sendable () -> Void
    ) async throws {
        let contents = try await sessions.store.latestSteps(
            of: id, most: limits.inspectedSteps, bytes: limits.inspectedBytes)
        let opening = try await sessions.openings.opening(of: contents.summary)
        let base = contents.snapshot.step
        var options = opening.options
        options.runsWorkers = false
        options.executor = sessions.pool.threads
        options.sessionName = id
        options.firstStep = base
        let settings = options
        let place = try PrivateSocket()
        let copy = try await withTaskExecutorPreference(sessions.pool.threads) {
            let copy = try await FlowSession.open(
                opening.source, options: settings,
                restoring: FlowSnapshot(document: contents.snapshot.document),
                replaying: contents.inputs)
            do {
                try await copy.show(contents.summary.step - base)
                _ = try await copy.listen(at: place.path, greets: false)
                return copy
            } catch {
                await copy.close()
                throw error
            }
        }
        self.id = id
        self.sessions = sessions
        self.limits = limits
        self.mailbox = mailbox
        self.place = place
        self.copy = copy
        self.base = base
        version = contents.summary.version
        var inspector = InspectorSettings(socket: place.path)
        inspector.limits.heartbeatSeconds = limits.heartbeatSeconds
        gateway = SessionGateway(
            inspector, on: MultiThreadedEventLoopGroup.singleton, onLeave: onLeave)
    }

    // MARK: Following

    /// Follows the session until that is over, or nobody looks any more.
    ///
    /// - Returns: Why it is over.
    func follow() async -> String {
        while end == nil {
            switch await mailbox.next() {
            case .heartbeat: break
            case .event:
                do {
                    try await catchUp()
                } catch {
                    // It cannot be followed any further; whoever looks on gets another copy.
                    return "lost"
                }
            case .end("slow"):
                sessions.readers.remove(mailbox, from: id)
                guard let next = try? sessions.readers.add(to: id) else { return "lost" }
                mailbox = next
                next.beat()
                guard (try? await catchUp()) != nil else { return "lost" }
            case .end(let reason): return reason
            }
        }
        return end ?? "lost"
    }

    /// Has the copy play what is kept by now.
    func catchUp() async throws {
        let before = last
        let task = Task(executorPreference: sessions.pool.threads) {
            _ = await before?.result
            try await self.playNew()
        }
        last = task
        try await task.value
    }

    private func playNew() async throws {
        let store = sessions.store
        guard try await store.summary(of: id).version != version else { return }
        let known = base + (await copy.stepCount)
        var overlap = 64
        while true {
            let summary = try await store.summary(of: id)
            let first = max(base, summary.firstStep)
            let contents = try await store.load(
                id, reaching: max(first, min(known, summary.stepCount) - overlap))
            let start = max(contents.snapshot.step, base)
            guard start <= known else { throw InspectionFailure.isBehind }
            let inputs = Array(contents.inputs.dropFirst(start - contents.snapshot.step))
            let isPlayed = try await copy.play(
                inputs, after: start - base, showing: contents.summary.step - base,
                isFirst: start == first)
            guard isPlayed else {
                overlap *= 8
                continue
            }
            guard base + (await copy.stepCount) == contents.summary.stepCount else {
                throw InspectionFailure.isBehind
            }
            version = contents.summary.version
            bytes += inputs.dropFirst(max(0, known - start)).reduce(0) { $0 + $1.size }
            break
        }
        let steps = await copy.stepCount
        if bytes > limits.inspectedBytes || steps > 2 * max(limits.inspectedSteps, 256) {
            throw InspectionFailure.isTooLong
        }
    }

    // MARK: Asking

    /// A call with the sink itself in place of where it stands in a rendering.
    func naming(_ call: FlowCall) async throws -> FlowCall {
        try await copy.naming(call)
    }

    /// Follows the session no longer.
    func stop() {
        end = end ?? "unused"
        mailbox.close("unused")
    }

    /// Ends all pages, which are told the reason, and the copy.
    func close(_ reason: String) async {
        sessions.readers.remove(mailbox, from: id)
        await gateway.close(reason)
        await copy.close()
        place.remove()
    }
}

/// Why a copy cannot go on.
enum InspectionFailure: Error {
    /// It is not known what came between what it has and what is kept.
    case isBehind
    /// It has grown, and a new one would be small again.
    case isTooLong
}

extension FlowSession {
    /// Goes to a step, if it is not there.
    fileprivate func show(_ step: Int) throws(FlowError) {
        if self.step != step { try go(to: step) }
    }

    /// Plays inputs that are kept, in place of what is at hand after a step.
    ///
    /// - Parameters:
    ///   - step: The step after which they come.
    ///   - shown: The step to show then.
    ///   - isFirst: Whether nothing that is kept comes before them.
    /// - Returns: Whether they belong to what is at hand: of those before them others may be kept, too.
    fileprivate func play(
        _ kept: [FlowInput], after step: Int, showing shown: Int, isFirst: Bool
    ) throws(FlowError) -> Bool {
        let known = inputs.dropFirst(step)
        let common = zip(known, kept).prefix { $0 == $1 }.count
        if common == 0, !known.isEmpty, !isFirst { return false }
        if common < known.count {
            try show(step + common)
            // Whatever is played gives up the later steps by itself.
            if common == kept.count { try branch() }
        } else {
            try show(stepCount)
        }
        for input in kept.dropFirst(common) {
            // An input that failed then fails again.
            do throws(FlowError) { try play(input) } catch {}
        }
        try show(shown)
        return true
    }

    fileprivate func naming(_ call: FlowCall) throws(FlowError) -> FlowCall {
        try call.naming(sinkOf: self)
    }
}
