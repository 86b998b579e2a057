import LibC
import PlainValue
public import WorkerKit
public import WorkflowKit

/// Plays the sessions of a store on a few threads and in bounded memory. A session is opened on
/// use, stays open, and is closed when others need its place.
///
/// ```swift
/// let pool = SessionPool(in: store) { id, _ in
///     (.file("todo.lua"), FlowOptions(props: ["user": .string(id)]))
/// }
/// try await pool.use("groceries") { session in
///     try await session.send(["type": "add", "text": "milk"])
/// }
/// ```
///
/// Closing a session loses nothing, because a ``StoredSession`` stores each input before its
/// effects are visible. A session stays open while it is in use or has running workers, even beyond
/// the pool's limit; but not for workers that wait, if the owner wakes it.
public actor SessionPool {
    /// The flow and settings of a session.
    public typealias Opening = (source: FlowSource, options: FlowOptions)

    /// The store of the sessions.
    public nonisolated let store: any SessionStore
    /// The threads that play sessions, apart from the global executor. While some are at one call
    /// for long, more of them work, so that a flow with a long computation delays no other one.
    public nonisolated let threads: WorkerThreads
    /// Runs all that the pool does: the ``threads``, or what stands in for them.
    let executor: any TaskExecutor

    let limit: Int
    let storage: StoredSessionOptions
    let prepare: @Sendable (String, SessionSummary?) async throws -> Opening
    let onEvent: @Sendable (String, FlowEvent) -> Void
    let onNews: @Sendable (String, SessionNews) -> Void
    let onSleep: (@Sendable (WakeUp) -> Void)?
    let onStuck: @Sendable (StuckCall) -> Void
    let onStuckEnd: @Sendable (StuckCall) -> Void
    /// Finds calls that do not end. It may watch sessions that are not the pool's, too.
    package nonisolated let watch: CallWatch
    nonisolated let uses = PoolUses()
    var places: [Name: Place] = [:]
    /// The places that nobody uses.
    var unused = UseOrder()
    /// Counts uses, to find the least recently used session.
    var useCount: UInt64 = 0
    var closingCount = 0
    var deletions: [Name: Task<Void, any Error>] = [:]
    var isClosed = false
    nonisolated let suspension = Suspension()

    final class Place {
        let way: Way
        let session: Task<StoredSession, any Error>
        /// The session, as soon as its flow and settings are known.
        var opened: StoredSession?
        var users = 0
        var lastUse: UInt64 = 0
        /// Set while it is being closed. The value is true if it was closed.
        var closing: Task<Bool, Never>?

        init(_ way: Way, _ session: Task<StoredSession, any Error>) {
            self.way = way
            self.session = session
        }
    }

    /// The way in which a session enters the pool.
    enum Way: Hashable {
        case open, resume, create(RequestKey?)

        /// True if the session may be in the store already.
        var mayExist: Bool {
            if case .create = self { false } else { true }
        }
    }

    /// Makes an empty pool.
    ///
    /// ```swift
    /// let pool = SessionPool(
    ///     in: store, limit: 100, threads: 2, onStuck: { call in print(call.session) }
    /// ) { id, summary in
    ///     (.file("todo.lua"), FlowOptions())
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - store: The store of the sessions.
    ///   - limit: The number of sessions that stay open; at least 1.
    ///   - threads: The number of threads while no call takes long; by default one for each core.
    ///   - storage: The settings for storing sessions.
    ///   - onEvent: Called with a session's id and each event, after its effects are stored.
    ///   - onNews: Called with a session's id and the news of a stored change.
    ///   - onSleep: Called when a session was closed that must be opened again at a time. Without
    ///     it, a session with a resting worker stays open.
    ///   - onStuck: Called when a call into a flow has not ended a second after its time limit, on
    ///     any thread. The session is closed then. All who wait for it, or ask for it while the
    ///     call runs, get a ``StoreError`` with the code `stuck`. Its thread cannot be ended.
    ///   - onStuckEnd: Called when such a call has ended after all. The session can be used again.
    ///   - prepare: Called before a session is opened, with its id and summary; the summary is
    ///     `nil` for a new session. The pool's ``threads`` replace an `executor` in the options.
    public init(
        in store: any SessionStore, limit: Int = 1000, threads: Int = SessionPool.coreCount,
        storage: StoredSessionOptions = StoredSessionOptions(),
        onEvent: @escaping @Sendable (_ id: String, _ event: FlowEvent) -> Void = { _, _ in },
        onNews: @escaping @Sendable (_ id: String, _ news: SessionNews) -> Void = { _, _ in },
        onSleep: (@Sendable (_ wakeUp: WakeUp) -> Void)? = nil,
        onStuck: @escaping @Sendable (_ call: StuckCall) -> Void = { _ in },
        onStuckEnd: @escaping @Sendable (_ call: StuckCall) -> Void = { _ in },
        prepare:
            @escaping @Sendable (_ id: String, _ kept: SessionSummary?) async throws -> Opening
    ) {
        self.init(
            in: store, limit: limit, threads: threads, watch: CallWatch(), storage: storage,
            onEvent: onEvent, onNews: onNews, onSleep: onSleep, onStuck: onStuck,
            onStuckEnd: onStuckEnd, prepare: prepare)
    }

    /// Shares the watch with others. The executor stands in for the threads.
    package init(
        in store: any SessionStore, limit: Int, threads: Int, watch: CallWatch,
        executor: (any TaskExecutor)? = nil,
        storage: StoredSessionOptions = StoredSessionOptions(),
        onEvent: @escaping @Sendable (_ id: String, _ event: FlowEvent) -> Void = { _, _ in },
        onNews: @escaping @Sendable (_ id: String, _ news: SessionNews) -> Void = { _, _ in },
        onSleep: (@Sendable (_ wakeUp: WakeUp) -> Void)? = nil,
        onStuck: @escaping @Sendable (_ call: StuckCall) -> Void = { _ in },
        onStuckEnd: @escaping @Sendable (_ call: StuckCall) -> Void = { _ in },
        prepare:
            @escaping @Sendable (_ id: String, _ kept: SessionSummary?) async throws -> Opening
    ) {
        self.store = store
        self.limit = max(limit, 1)
        self.watch = watch
        let threads = WorkerThreads(limit: threads, spare: Self.spareThreads) { watch.look() }
        self.threads = threads
        self.executor = executor ?? threads
        self.storage = storage
        self.onEvent = onEvent
        self.onNews = onNews
        self.onSleep = onSleep
        self.onStuck = onStuck
        self.onStuckEnd = onStuckEnd
        self.prepare = prepare
        watch.report { [weak self] in self?.take($0) }
    }

    /// The maximum number of threads that stand in for those at long or stuck calls.
    private static let spareThreads = 64

    /// The number of active cores.
    public static var coreCount: Int { max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1) }

    /// The number of open sessions.
    public var openCount: Int { places.count }

    // MARK: Sessions

    /// Runs a function with a session, which is opened if necessary, and created if it is new.
    ///
    /// Calls for one session may overlap; their requests run one at a time.
    ///
    /// ```swift
    /// let step = try await pool.use("groceries") { session in await session.step }
    /// ```
    ///
    /// - Important: Do not keep the session after the body returns, since the pool may close it.
    /// - Parameters:
    ///   - id: The id: 1 to 200 bytes of text without control characters.
    ///   - body: The pool keeps the session open until it returns or throws.
    /// - Returns: The result of the body.
    /// - Throws: The errors of ``StoredSession/open(_:of:in:options:storage:onEvent:)``; a
    ///   ``StoreError`` with the code `closed` after ``close(within:)``, or `stuck`; and the errors
    ///   of the body.
    @discardableResult
    public nonisolated func use<Result: Sendable>(
        _ id: String, _ body: @escaping @Sendable (StoredSession) async throws -> Result
    ) async throws -> Result {
        try await use(id, .open, body: body)
    }

    /// Runs a function with a session of the store; see ``use(_:_:)``.
    ///
    /// ```swift
    /// try await pool.resume("grocery") { try await $0.undo() }  // throws not_found
    /// ```
    ///
    /// - Parameters:
    ///   - id: The id of a stored session. No session is created.
    ///   - body: The pool keeps the session open until it returns or throws.
    /// - Returns: The result of the body.
    /// - Throws: As ``use(_:_:)``; a ``StoreError`` with the code `not_found` for an unknown id.
    @discardableResult
    public nonisolated func resume<Result: Sendable>(
        _ id: String, _ body: @escaping @Sendable (StoredSession) async throws -> Result
    ) async throws -> Result {
        try await use(id, .resume, body: body)
    }

    /// Creates a session and keeps it open.
    ///
    /// ```swift
    /// try await pool.create("tuesday", (.file("todo.lua"), FlowOptions()))
    /// try await pool.create("tuesday", (.file("todo.lua"), FlowOptions()))  // throws exists
    /// ```
    ///
    /// - Parameters:
    ///   - id: The session's id.
    ///   - opening: Its flow and settings. When it is opened again, `prepare` provides them.
    ///   - key: The request's key. If it has created the session before, this succeeds.
    /// - Throws: As ``use(_:_:)``; a ``StoreError`` with the code `exists` or `key_reused`.
    public nonisolated func create(
        _ id: String, _ opening: Opening, key: RequestKey? = nil
    ) async throws {
        try await use(id, .create(key), opening: opening) { _ in }
    }

    /// Creates a session, if a check of it before it is stored does not throw.
    package nonisolated func create(
        _ id: String, _ opening: Opening, key: RequestKey?, allow: @escaping SessionCheck
    ) async throws {
        try await use(id, .create(key), opening: opening, allow: allow) { _ in }
    }

    private nonisolated func use<Result: Sendable>(
        _ id: String, _ way: Way, opening: Opening? = nil, allow: SessionCheck? = nil,
        body: @escaping @Sendable (StoredSession) async throws -> Result
    ) async throws -> Result {
        try await watching(.init(id)) { [self] in
            let (session, number) = try await acquire(id, way, opening, allow)
            do {
                let result = try await body(session)
                await release(id, number)
                return result
            } catch {
                await release(id, number)
                throw error
            }
        }
    }

    /// Deletes a session from the store.
    ///
    /// ```swift
    /// try await pool.delete("groceries")
    /// try await pool.use("groceries") { session in await session.step }  // 0: it is a new one
    /// ```
    ///
    /// - Warning: It cannot be undone, and is done even if the session is in use.
    /// - Throws: A ``StoreError``, with the code `not_found` if there is no such session.
    public func delete(_ id: String) async throws {
        while let deletion = deletions[Name(id)] { await untilOver(deletion, of: id) }
        guard !isClosed else { throw StoreError.closedPool() }
        let place = places.removeValue(forKey: Name(id))
        let (session, closing) = (place?.session, place?.closing)
        let deletion = Task(executorPreference: executor) { [store] in
            // Errors of storing do not matter any more.
            try? await self.watching(.init(id)) {
                _ = await closing?.value
                _ = try? await session?.value.close()
            }
            try await store.delete(id)
        }
        deletions[Name(id)] = deletion
        await untilOver(deletion, of: id)
        try await deletion.value
    }
}
