import FlowProtocol
import HTTPServing
import InspectorServer
import NIOPosix
import WorkerKit
import WorkflowKit
import WorkflowLua
import WorkflowStore

/// A copy of a session for the inspector. It replays the stored session and follows it.
///
/// So the inspector shows only stored steps and does not block the session. The copy's workers do
/// not run. Changes are requested from the session itself.
actor Inspection {
    /// Serves the pages' requests.
    nonisolated let gateway: SessionGateway
    /// The session's step that is the copy's step 0.
    nonisolated let base: Int

    private let id: String
    private let sessions: ServedSessions
    private let limits: ServiceLimits
    private let copy: FlowSession
    private let place: PrivateSocket
    private var mailbox: SessionMailbox
    /// The version of the session that the copy shows.
    private var version: Int
    /// The bytes of the inputs that the copy has played since it began.
    private var bytes = 0
    /// The last task of ``catchUp()``. Each waits for the one before.
    private var last: Task<Void, any Error>?
    private var end: String?
    /// The subject under which the copy's calls are watched.
    private var subject: CallWatch.Subject { CallWatch.Subject(id, isCopy: true) }

    /// Makes a copy of a session.
    ///
    /// - Parameter onLeave: Called when a page is closed.
    /// - Throws: An error of reading or playing the session, or a ``Problem``.
    static func open(
        _ id: String, in sessions: ServedSessions, _ limits: ServiceLimits,
        onLeave: @escaping @Sendable () -> Void
    ) async throws -> Inspection {
        // Added before the session is read, so that no change is missed.
        let mailbox = try sessions.readers.add(to: id, for: .server)
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
        let base = contents.snapshot.step
        let latest = try FlowSnapshot(
            document: try await sessions.store.load(id, reaching: contents.summary.step).snapshot
                .document)
        let place = try PrivateSocket()
        let path = place.path
        let subject = CallWatch.Subject(id, isCopy: true)
        let copy = try await sessions.pool.watching(subject) {
            let opening = try await sessions.openings.opening(of: contents.summary)
            var options = opening.options
            options.runsWorkers = false
            options.executor = sessions.pool.threads
            options.watch = sessions.pool.watch.watching(subject)
            options.sessionName = id
            options.firstStep = base
            let copy = try await FlowSession.open(
                opening.source, options: options,
                restoring: FlowSnapshot(document: contents.snapshot.document),
                replaying: contents.inputs)
            do {
                try await copy.show(contents.summary.step - base)
                await copy.restoreRefused(of: latest)
                _ = try await copy.listen(at: path, greets: false)
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
        mailbox.leaveOut(through: version)
        var inspector = InspectorOptions(socket: place.path)
        inspector.limits.heartbeatInterval = limits.heartbeatInterval
        gateway = SessionGateway(
            inspector, on: MultiThreadedEventLoopGroup.singleton, onLeave: onLeave)
    }

    // MARK: Following

    /// Follows the session until it ends or nobody looks any more. Returns the reason.
    func follow() async -> String {
        let watching = Task { [weak self, sessions, subject] in
            do {
                try await sessions.pool.watching(subject) { await Latch().wait() }
            } catch {
                await self?.stop("stuck")
            }
        }
        defer { watching.cancel() }
        while end == nil {
            switch await mailbox.next() {
            // An output that the flow refuses is kept without an event.
            case .heartbeat, .event, .behind:
                do {
                    try await catchUp()
                } catch {
                    // The copy cannot continue. Pages get a new one.
                    return "lost"
                }
            case .end("slow"):
                sessions.readers.remove(mailbox, from: id)
                guard let next = try? sessions.readers.add(to: id, for: .server) else {
                    return "lost"
                }
                mailbox = next
                next.beat()
                guard (try? await catchUp()) != nil else { return "lost" }
            case .end(let reason): return reason
            }
        }
        return end ?? "lost"
    }

    /// Plays the steps that were stored since.
    func catchUp() async throws {
        let before = last
        let task = Task { [sessions, subject] in
            _ = await before?.result
            try await sessions.pool.watching(subject) { try await self.playNew() }
        }
        last = task
        try await task.value
        mailbox.leaveOut(through: version)
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
            await gateway.endRefused()
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
            let latest = try await store.load(id, reaching: contents.summary.step)
            if let snapshot = try? FlowSnapshot(document: latest.snapshot.document) {
                await copy.restoreRefused(of: snapshot)
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

    /// A call with the sink itself instead of its path.
    func naming(_ call: FlowCall) async throws -> FlowCall {
        try await sessions.pool.watching(subject) { [copy] in
            try await call.naming(sinkOf: copy)
        }
    }

    /// Lets the copy end, with a reason.
    func stop(_ reason: String = "unused") {
        end = end ?? reason
        mailbox.close(reason)
    }

    func close(_ reason: String) async {
        sessions.readers.remove(mailbox, from: id)
        await gateway.close(reason)
        // A copy whose call does not end cannot be closed.
        _ = try? await sessions.pool.watching(subject) { [copy] in await copy.close() }
        place.remove()
    }
}

/// The reason why a copy cannot continue.
enum InspectionFailure: Error {
    /// The steps between the copy and the stored ones are missing.
    case isBehind
    /// The copy has grown too long; a new one is shorter.
    case isTooLong
}

extension FlowSession {
    /// Goes to a step unless it is shown.
    fileprivate func show(_ step: Int) throws(FlowError) {
        if self.step != step { try go(to: step) }
    }

    /// Replaces the inputs after a step by stored ones, and goes to the step `shown`.
    ///
    /// - Parameter isFirst: True if the first input is the first stored one.
    /// - Returns: False if the inputs do not fit the copy's; then earlier ones may differ too.
    fileprivate func play(
        _ kept: [FlowInput], after step: Int, showing shown: Int, isFirst: Bool
    ) throws(FlowError) -> Bool {
        let known = inputs.dropFirst(step)
        let common = zip(known, kept).prefix { $0 == $1 }.count
        if common == 0, !known.isEmpty, !isFirst { return false }
        if common < known.count {
            try show(step + common)
            // Playing an input drops the later steps by itself.
            if common == kept.count { try branch() }
        } else {
            try show(stepCount)
        }
        for input in kept.dropFirst(common) {
            // An input that failed before fails again.
            do throws(FlowError) { try play(input) } catch {}
        }
        try show(shown)
        return true
    }
}
