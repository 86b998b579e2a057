import Logging
import PlainValue
import WorkflowKit

@testable import FlowService
@testable import WorkflowStore

/// A simulated host: a pool with the service's beats and wake-ups, wired as in `ServedSessions`.
/// `@unchecked Sendable` because only the scheduler's thread uses it, which the scheduler checks.
final class SimulatedHost: @unchecked Sendable {
    struct Order: Sendable {
        let session: String
        /// The action; `nil` creates the session.
        let action: Value?
        let key: RequestKey
    }

    /// True for a host that is killed. None of its jobs run any more.
    private(set) var isDead = false
    private(set) var isUp = false
    let link: SimulatedLink
    /// True if the last beat that was answered told of other hosts.
    var knowsOthers: Bool { store.hasOtherHosts }
    private let scheduler: SeededScheduler
    private let executor: SeededExecutor
    private let store: SimulatedStore
    private let pool: SessionPool
    private let beats: HostBeats
    private(set) var pausedUntil = Duration.zero
    private var waking: Task<Void, Never>?
    private var beating: Task<Void, Never>?

    private static let logger = Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() }

    /// The most attempts of a request if another host changes the session meanwhile.
    private static let attempts = 8

    /// At most `limit` sessions stay open, all with readers if it has some. `onWork` is called with
    /// a session when its worker begins, with true, or ends.
    init(
        _ scheduler: SeededScheduler, _ base: MemorySessionStore, limit: Int, hasReaders: Bool,
        duration: Duration, tell: @escaping (String) -> Void,
        onWork: @escaping @Sendable (_ session: String, _ begins: Bool) -> Void
    ) throws {
        self.scheduler = scheduler
        let executor = scheduler.makeExecutor()
        link = SimulatedLink(scheduler, tell: tell)
        let store = SimulatedStore(MemorySessionStore(sharing: base), over: link)
        (self.executor, self.store) = (executor, store)
        var options = try SimulatedFlow.options(scheduler, duration: duration, onWork: onWork)
        options.workerExecutor = executor
        let opening = (SimulatedFlow.source, options)
        let told = Told()
        let (slept, sleeper) = AsyncStream<WakeUp>.makeStream()
        let pool = SessionPool(
            in: store, limit: limit, threads: 1, watch: CallWatch(), executor: executor,
            storage: StoredSessionOptions(snapshotInterval: 4, stepsInMemory: 8),
            onNews: { id, news in if hasReaders { told.versions[id] = news.moment.version } },
            onSleep: { sleeper.yield($0) },
            prepare: { id, kept in
                if kept == nil { throw StoreError.notFound(id) }
                return opening
            })
        let wakeUps = WakeUps(
            clock: SeededClock(scheduler: scheduler), executor: executor,
            now: options.now, ids: { try? await store.ids(of: $0) },
            wake: { await pool.wakeSoon($0) })
        self.pool = pool
        self.opening = opening
        beats = HostBeats(
            store: store, logger: Self.logger, take: { await wakeUps.add($0) },
            look: {
                if told.versions.isEmpty { return }
                guard let changed = try? await store.changed(since: told.versions) else { return }
                for id in changed {
                    Task(executorPreference: executor) {
                        let moment = try? await pool.resume(id) { session in
                            _ = try await session.refresh()
                            return try await session.moment()
                        }
                        if let moment { told.versions[id] = moment.version }
                    }
                }
            },
            yield: { await pool.yieldWorkers() },
            suspend: { await pool.suspendWorkers() },
            goOn: { await pool.resumeWorkers() }, fail: { _ in },
            clock: SeededClock(scheduler: scheduler), executor: executor)
        waking = Task(executorPreference: executor) {
            await withDiscardingTaskGroup { group in
                group.addTask { await wakeUps.run() }
                group.addTask { for await wakeUp in slept { await wakeUps.add(wakeUp) } }
            }
        }
        beating = Task(executorPreference: executor) { [beats, weak self] in
            // A service that cannot beat once ends, and is started again.
            while (try? await beats.beat()) == nil {
                guard
                    (try? await SeededClock(scheduler: scheduler).sleep(for: .milliseconds(100)))
                        != nil
                else { return }
            }
            self?.isUp = true
            await beats.run()
        }
    }

    private let opening: SessionPool.Opening

    /// The versions that readers know. `@unchecked Sendable` as the host.
    private final class Told: @unchecked Sendable { var versions: [String: Int] = [:] }

    // MARK: Requests

    /// Does what a client asks, as the service does it. A killed host answers nobody.
    func take(
        _ order: Order, answer: @escaping @Sendable (Result<SessionMoment?, any Error>) -> Void
    ) {
        Task(executorPreference: executor) { [self] in
            do { answer(.success(try await done(order))) } catch { answer(.failure(error)) }
        }
    }

    private func done(_ order: Order) async throws -> SessionMoment? {
        guard let action = order.action else {
            try await pool.create(order.session, opening, key: order.key)
            return nil
        }
        var attempt = 1
        while true {
            do {
                return try await pool.resume(order.session) { session in
                    try await session.send(action, key: order.key)
                }
            } catch let error as StoreError
                where error.code == .conflict && attempt < Self.attempts
            {
                attempt += 1
            }
        }
    }

    // MARK: Faults

    func pause(for time: Duration) {
        executor.isPaused = true
        pausedUntil = max(pausedUntil, scheduler.time + time)
        scheduler.after(time) { [self] in
            if !isDead, scheduler.time >= pausedUntil { executor.isPaused = false }
        }
    }

    func kill() {
        (isDead, isUp) = (true, false)
        executor.isPaused = true
    }

    func stop(_ onEnd: @escaping @Sendable () -> Void) {
        isUp = false
        Task(executorPreference: executor) { [self] in
            await close()
            try? await store.leave()
            onEnd()
        }
    }

    private func close() async {
        waking?.cancel()
        await pool.close()
        beating?.cancel()
        await beating?.value
    }

    /// Ends what is left of a host after the simulation, so that it takes no memory.
    func end() {
        link.isOver = true
        executor.isPaused = false
        waking?.cancel()
        beating?.cancel()
        Task(executorPreference: executor) { [self] in await pool.close(within: .zero) }
    }
}
