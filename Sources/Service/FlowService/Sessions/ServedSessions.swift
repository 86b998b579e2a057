import HTTPServing
import Logging
import PlainValue
import Synchronization
import WorkflowKit
import WorkflowLua
import WorkflowStore

/// The sessions of the service. Every answer was stored before. Requests for one session run in
/// order. Changes share commits.
final class ServedSessions: Sendable {
    /// The principal, key and expected tags of a request.
    struct Circumstances: Sendable {
        let principal: Principal
        var key: RequestKey?
        /// The tags of which the session must have one; `nil` for any.
        var tags: [String]?
    }

    /// The approximate steps of an open session in memory, which bound its memory.
    private static let stepsInMemory = 64

    let flows: FlowTable
    let store: any SharedSessionStore
    let readers: SessionReaders
    let pool: SessionPool
    let queues: SessionQueues
    let openings: SessionOpenings
    /// The limit of isolated script processes; `nil` if no flow is isolated.
    let processes: ScriptProcesses?
    /// The beats, which find the sessions to wake.
    let beats: HostBeats
    private let waking: Task<Void, Never>
    private let beating = Mutex<Task<Void, Never>?>(nil)
    /// The running requests with a key, by session and key.
    private let underWay = Mutex(Set<[String]>())

    init(
        flows: FlowTable, store: any SharedSessionStore, readers: SessionReaders,
        limits: ServiceLimits, processes: ScriptProcesses?, traces: ServiceTraces, logger: Logger,
        onFailure: @escaping @Sendable (StoreError) -> Void = { _ in }
    ) {
        self.flows = flows
        self.store = store
        self.readers = readers
        queues = SessionQueues(most: limits.queue)
        let watch = CallWatch()
        let openings = SessionOpenings(flows, store, watch, logger)
        self.openings = openings
        self.processes = processes
        let (slept, sleeper) = AsyncStream<WakeUp>.makeStream()
        let readerNews = ReaderNews(to: readers)
        let pool = SessionPool(
            in: store, limit: limits.openSessions,
            // A thread waits while a process works.
            threads: SessionPool.coreCount + (processes?.limit ?? 0), watch: watch,
            storage: StoredSessionOptions(stepsInMemory: Self.stepsInMemory),
            onNews: { id, news in
                traces.tell(news, of: id)
                readerNews.add(news, of: id)
            },
            onSleep: { sleeper.yield($0) },
            onStuck: { [readers] call in
                logger.critical(
                    "a call into a flow does not end", metadata: call.metadata)
                if !call.isInCopy { readers.close(call.session, "stuck") }
            },
            onStuckEnd: {
                logger.notice("a call that was given up has ended", metadata: $0.metadata)
            },
            prepare: { id, kept in
                guard let kept else { throw StoreError.notFound(id) }
                return try await openings.opening(of: kept)
            })
        let wakeUps = WakeUps(
            now: FlowOptions.wallClock,
            ids: { try? await store.ids(of: $0) },
            wake: { await pool.wakeSoon($0) })
        self.pool = pool
        beats = HostBeats(
            in: store, of: pool, readBy: readers, wakeUps, logger: logger, onFailure: onFailure)
        waking = Task {
            await withDiscardingTaskGroup { group in
                group.addTask { await wakeUps.run() }
                group.addTask { for await wakeUp in slept { await wakeUps.add(wakeUp) } }
                group.addTask {
                    await readerNews.run { try await pool.verdicts(on: $1, following: $0) }
                }
            }
        }
    }

    /// Continues the sessions whose workers were running, and wakes sleeping sessions at their
    /// times. Those that another service looks after are taken over when it ends.
    func begin() async throws(StoreError) {
        try await beats.beat()
        beating.withLock { $0 = Task { [beats] in await beats.run() } }
    }

    // MARK: Looking

    func summary(of id: String) async throws(Problem) -> SessionSummary {
        try await problems { try await self.store.summary(of: id) }
    }

    /// A session's state after a step, by default the current one; `question` is by default to read
    /// it.
    func moment(
        of id: String, at step: Int? = nil, for principal: Principal, _ question: Question? = nil
    ) async throws(Problem) -> SessionMoment {
        try await problems {
            try await self.use(id) { session in
                let now = try await session.moment(for: principal, question ?? .read(step: step))
                guard let step else { return now }
                return try await session.moment(at: step)
            }
        }
    }

    func document(
        of id: String, at step: Int? = nil, for principal: Principal
    ) async throws(Problem) -> Value.Record {
        var moment = try await moment(of: id, at: step, for: principal)
        let summary = try await summary(of: id)
        if summary.version > moment.version {
            // Another service plays it too.
            try await problems { _ = try await self.use(id) { try await $0.refresh() } }
            moment = try await self.moment(of: id, at: step, for: principal)
        }
        return summary.document.merging(moment.document(of: id))
    }

    /// Asks a session's flow if it allows something to an open stream, which is in no queue.
    func check(
        _ principal: Principal, _ question: Question, of id: String
    ) async throws(Problem) {
        try await problems {
            _ = try await self.pool.resume(id) { try await $0.moment(for: principal, question) }
        }
    }

    func ask<Result: Sendable>(
        _ id: String, for principal: Principal, _ question: Question,
        _ body: @escaping @Sendable (isolated FlowSession) throws -> Result
    ) async throws(Problem) -> Result {
        try await problems {
            try await self.use(id) { session in
                try await session.perform { session in
                    try session.require(principal, question)
                    return try body(session)
                }
            }
        }
    }

    private func use<Result: Sendable>(
        _ id: String, _ body: @escaping @Sendable (StoredSession) async throws -> Result
    ) async throws -> Result {
        try await queues.with(id) { try await pool.resume(id, body) }
    }

    // MARK: Beginning and ending

    /// Asks the flow before anything is stored. `props` are instead of the flow's own.
    func create(
        _ id: String, of name: String, props: Value?, _ circumstances: Circumstances
    ) async throws(Problem) -> Value.Record {
        guard let flow = flows[name] else { throw .unknownFlow(name) }
        var opening = flow.opening
        if let props { opening.options.props = props }
        let principal = circumstances.principal
        opening.options.principal = principal.inputName
        let first = opening
        try await once(id, circumstances) {
            try await self.queues.with(id) {
                try await self.pool.create(id, first, key: circumstances.key) { session in
                    try session.require(principal, .create)
                }
            }
        }
        return try await beginning(of: id, at: 0, circumstances)
    }

    func branch(
        _ id: String, to other: String, at step: Int?, _ circumstances: Circumstances
    ) async throws(Problem) -> Value.Record {
        let origin = try await moment(
            of: id, at: step, for: circumstances.principal, .branch(step: step))
        if try await receipt(circumstances.key, of: other) == nil {
            try await require(circumstances.tags, of: id)
        }
        // The step that was judged, also if the session has gone on since.
        let fork = SessionFork(
            id: other, step: origin.step, request: circumstances.key,
            milliseconds: FlowOptions.wallClock())
        let last = try await once(other, circumstances) {
            try await self.store.forkOnce(id, to: fork)
        }
        return try await beginning(of: other, at: last, circumstances)
    }

    /// A session as it was created, at `step`, for its creator, who may see that.
    private func beginning(
        of id: String, at step: Int, _ circumstances: Circumstances
    ) async throws(Problem) -> Value.Record {
        var summary = try await summary(of: id)
        var moment = try await problems {
            try await self.use(id) { try await $0.moment(at: step) }
        }
        moment.stepCount = moment.step
        if let receipt = try await receipt(circumstances.key, of: id) {
            moment.screen.version = receipt.screen
        }
        summary.updated = summary.created
        return summary.document.merging(moment.document(of: id))
    }

    /// Without its flow, which is not served or does not fit, the scope `inspect` is enough.
    func delete(
        _ id: String, for principal: Principal, expecting tags: [String]? = nil
    ) async throws(Problem) {
        do throws(Problem) {
            _ = try await moment(of: id, for: principal, .delete)
        } catch {
            guard error.isFault, principal.has(.inspect) else { throw error }
        }
        try await require(tags, of: id)
        try await problems { try await self.pool.delete(id) }
        readers.close(id, "deleted")
    }

    func close(
        _ id: String, for principal: Principal, expecting tags: [String]?
    ) async throws(Problem) {
        _ = try await moment(of: id, for: principal, .close)
        try await require(tags, of: id)
        await pool.close(id)
    }

    private func receipt(
        _ key: RequestKey?, of id: String
    ) async throws(Problem) -> Receipt? {
        guard let key else { return nil }
        return try await problems { try await self.store.receipt(key.key, of: id) }
    }

    /// Checks that a session has one of the expected tags. Throws `other_step`.
    func require(_ tags: [String]?, of id: String) async throws(Problem) {
        guard let tags else { return }
        try await problems {
            try await self.use(id) { _ = try await $0.request(expecting: tags) { _ in } }
        }
    }

    func close() async {
        waking.cancel()
        await pool.close()
        let beating = beating.withLock(\.self)
        beating?.cancel()
        await beating?.value
        // After an error, others take the partitions over when they miss the beats.
        try? await store.leave()
    }

    // MARK: Once

    /// Runs a request with a key, unless it is running already.
    func once<Result: Sendable>(
        _ id: String, _ circumstances: Circumstances,
        _ body: @Sendable @escaping () async throws -> Result
    ) async throws(Problem) -> Result {
        guard let key = circumstances.key else { return try await problems(body) }
        let name = [id, key.key]
        guard underWay.withLock({ $0.insert(name).inserted }) else { throw .inFlight }
        defer {
            let removed = underWay.withLock { $0.remove(name) }
            assert(removed != nil)
        }
        return try await problems(body)
    }
}

extension HostBeats {
    fileprivate init(
        in store: any SharedSessionStore, of pool: SessionPool, readBy readers: SessionReaders,
        _ wakeUps: WakeUps, logger: Logger, onFailure: @escaping @Sendable (StoreError) -> Void
    ) {
        self.init(
            store: store, logger: logger,
            take: { await wakeUps.add($0) },
            look: {
                guard let changed = try? await store.changed(since: readers.told) else { return }
                for id in changed {
                    // Not here: a session may take long, and the next beat must not.
                    Task {
                        do {
                            try await pool.resume(id) { _ = try await $0.refresh() }
                            readers.fallBehind(on: id)
                        } catch let error as StoreError where error.code == .notFound {
                            readers.close(id, "deleted")
                        } catch {
                            // A later beat finds it again.
                        }
                    }
                }
            },
            yield: { await pool.yieldWorkers() },
            suspend: { await pool.suspendWorkers() },
            goOn: { await pool.resumeWorkers() }, fail: onFailure)
    }
}

extension SessionPool {
    /// Opens a sleeping session as soon as there is room. Returns false if it is to be tried again.
    nonisolated func wakeSoon(_ id: String) async -> Bool {
        while true {
            do {
                try await wake(id)
            } catch let error as FlowError where error.code == .noProcess {
                // It has waited already.
                continue
            } catch let error as StoreError {
                return !error.mayPass && error.code != .conflict
            } catch {
                // Its flow fails, and would again.
            }
            return true
        }
    }
}

extension SessionPool {
    /// The verdicts of a flow on who may follow a session, and the version that they are about.
    fileprivate nonisolated func verdicts(
        on principals: [Principal], following id: String
    ) async throws -> (verdicts: [Principal: Bool], version: Int) {
        while true {
            do {
                return try await resume(id) { session in
                    let verdicts = Mutex<[Principal: Bool]>([:])
                    let moment = try await session.moment(if: { session in
                        for principal in principals {
                            // An error refuses, as for any request.
                            let isAllowed = (try? session.require(principal, .follow)) != nil
                            verdicts.withLock { $0[principal] = isAllowed }
                        }
                    })
                    return (verdicts.withLock(\.self), moment.version)
                }
            } catch let error as FlowError where error.code == .noProcess {
                // It has waited already.
                continue
            }
        }
    }
}

extension ServedFlow {
    /// The source and options of its sessions.
    var opening: SessionPool.Opening {
        var options = options
        // Changed files are accepted only after they were found to give the same results.
        options.takesChangedFiles = code == .replay
        return (.file(file), options)
    }
}

extension StuckCall {
    fileprivate var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = ["flow": "\(flow)", "session": "\(session)"]
        if let node { metadata["node"] = "\(node)" }
        if isInCopy { metadata["copy"] = "true" }
        return metadata
    }
}

extension Problem {
    fileprivate static func unknownFlow(_ name: String) -> Problem {
        Problem(
            .notFound, "unknown_flow", "No such flow",
            detail: "'\(name.prefix(100))' is not served; /flows says which are.")
    }

    fileprivate static let inFlight = Problem(
        .conflict, "in_flight", "Request in progress",
        detail: "It came under this key before, and is not answered yet. Ask again.",
        retryAfter: 1)
}

extension SessionStore {
    /// Stores a fork, once per request key. Returns the step at which it began.
    fileprivate func forkOnce(_ id: String, to fork: SessionFork) async throws -> Int {
        do {
            return try await self.fork(id, to: fork).step
        } catch  where error.code == .exists {
            guard let key = fork.request else { throw error }
            let known = try await receipt(key.key, of: fork.id)
            guard let known else { throw error }
            try known.validate(for: key)
            return known.step
        }
    }
}
