import LibC
import PlainValue
public import WorkerKit
public import WorkflowKit

/// Plays the sessions of a store on few threads and in bounded memory: a session is opened when it is asked for, stays
/// open for the next time, and is closed when others need its place.
///
/// ```swift
/// let pool = SessionPool(in: store) { id, _ in (.file("todo.lua"), FlowOptions(props: ["user": .string(id)])) }
/// try await pool.use("groceries") { session in
///     try await session.send(["type": "add", "text": "milk"])
/// }
/// ```
///
/// Nothing is lost when a session is closed, as a ``StoredSession`` keeps each input before anybody sees what came of it.
/// One that has workers at work stays open, as does one in use; if there are more of these than the pool is to hold, it
/// holds them all the same. A worker that waits for a time is no reason to stay open if the pool's owner wakes sessions.
public actor SessionPool {
    /// What a session is opened with: its flow and its settings.
    public typealias Opening = (source: FlowSource, options: FlowOptions)

    /// Where the sessions are kept.
    public nonisolated let store: any SessionStore
    /// The threads on which the sessions are played, apart from those of the global executor: a flow that computes for
    /// long holds up other flows at most.
    public nonisolated let threads: WorkerThreads

    let limit: Int
    let settings: StoredSessionOptions
    let prepare: @Sendable (String, SessionSummary?) async throws -> Opening
    let onEvent: @Sendable (String, FlowEvent) -> Void
    let onNews: @Sendable (String, SessionNews) -> Void
    let onSleep: (@Sendable (WakeUp) -> Void)?
    var places: [Name: Place] = [:]
    /// The places that nobody uses.
    var unused = UseOrder()
    /// Counts the uses, so that it is known which was the last of each session.
    var useCount: UInt64 = 0
    /// How many sessions are being closed to make room.
    var closingCount = 0
    /// Those that are being deleted.
    var deletions: [Name: Task<Void, any Error>] = [:]
    var isClosed = false

    /// A session in the pool.
    final class Place {
        let way: Way
        let session: Task<StoredSession, any Error>
        var users = 0
        var lastUse: UInt64 = 0
        /// Set while it is being closed; tells whether it was.
        var closing: Task<Bool, Never>?

        init(_ way: Way, _ session: Task<StoredSession, any Error>) {
            self.way = way
            self.session = session
        }
    }

    /// How a session comes into the pool.
    enum Way: Hashable {
        case open, resume, create(RequestKey?)

        /// Whether the session may be in the store already.
        var takesKept: Bool {
            if case .create = self { false } else { true }
        }
    }

    /// A pool with no session open yet.
    ///
    /// - Parameters:
    ///   - store: Where the sessions are kept.
    ///   - limit: How many sessions stay open; at least 1.
    ///   - threads: How many threads play them, by default as many as the processor has cores.
    ///   - settings: How they are kept.
    ///   - onEvent: Called with a session's id and each of its events when what it tells is kept.
    ///   - onNews: Called with a session's id and what a change has brought, when it is kept.
    ///   - onSleep: Called when a session was closed to make room that wants to be opened again at a time. Without it a
    ///     session in which a worker rests until then stays open.
    ///   - prepare: Called for a session that is to be opened, with its id and what the store has of it; with `nil` if it is
    ///     to begin. An `executor` in the options is replaced by the pool's ``threads``.
    public init(
        in store: any SessionStore, limit: Int = 1000, threads: Int = SessionPool.coreCount,
        settings: StoredSessionOptions = StoredSessionOptions(),
        onEvent: @escaping @Sendable (_ id: String, _ event: FlowEvent) -> Void = { _, _ in },
        onNews: @escaping @Sendable (_ id: String, _ news: SessionNews) -> Void = { _, _ in },
        onSleep: (@Sendable (_ wakeUp: WakeUp) -> Void)? = nil,
        prepare:
            @escaping @Sendable (_ id: String, _ kept: SessionSummary?) async throws -> Opening
    ) {
        self.store = store
        self.limit = max(limit, 1)
        self.threads = WorkerThreads(limit: threads)
        self.settings = settings
        self.onEvent = onEvent
        self.onNews = onNews
        self.onSleep = onSleep
        self.prepare = prepare
    }

    /// How many cores the processor has at work.
    public static var coreCount: Int { max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1) }

    /// How many sessions are open.
    public var openCount: Int { places.count }

    // MARK: Ways in

    /// Does something with a session, which is opened if it is not: gone on with, or begun if the store has none of this id.
    ///
    /// Calls for one session may come at the same time; what they ask of it is done one thing at a time. The session is
    /// the body's until it returns and is not to be kept: afterwards it may be closed at any time.
    ///
    /// - Throws: What keeps the session from being opened, as ``StoredSession/open(_:of:in:options:settings:onEvent:)`` does;
    ///   a ``StoreError`` with the code `closed` after ``close(within:)``; or what the body throws.
    @discardableResult
    public nonisolated func use<Result: Sendable>(
        _ id: String, _ body: @Sendable (StoredSession) async throws -> Result
    ) async throws -> Result {
        try await use(id, .open, nil, body)
    }

    /// Does something with a session of the store, which is gone on with if it is not open; see ``use(_:_:)``.
    ///
    /// - Throws: As ``use(_:_:)``; a ``StoreError`` with the code `not_found` if the store has no session of this id.
    @discardableResult
    public nonisolated func resume<Result: Sendable>(
        _ id: String, _ body: @Sendable (StoredSession) async throws -> Result
    ) async throws -> Result {
        try await use(id, .resume, nil, body)
    }

    /// Begins a session, which is open then.
    ///
    /// - Parameters:
    ///   - id: What it is called.
    ///   - opening: Its flow and settings; those of the pool are asked for when it is opened again.
    ///   - key: The request that asks for it. If the session was begun for it before, the session goes on.
    /// - Throws: As ``use(_:_:)``; a ``StoreError`` with the code `exists` if the store has a session of this id, or
    ///   `key_reused`.
    public nonisolated func create(
        _ id: String, _ opening: Opening, key: RequestKey? = nil
    ) async throws {
        try await use(id, .create(key), opening) { _ in }
    }

    private nonisolated func use<Result: Sendable>(
        _ id: String, _ way: Way, _ opening: Opening?,
        _ body: @Sendable (StoredSession) async throws -> Result
    ) async throws -> Result {
        try await withTaskExecutorPreference(threads) {
            let (session, number) = try await acquire(id, way, opening)
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

    /// Forgets a session: closes it if it is open, for those who use it too, and deletes it from the store.
    ///
    /// - Throws: A ``StoreError``; one with the code `not_found` if the store has no session of this id.
    public func delete(_ id: String) async throws {
        while let deletion = deletions[Name(id)] { await untilOver(deletion, of: id) }
        guard !isClosed else { throw StoreError(.closed, "the pool is closed") }
        let place = places.removeValue(forKey: Name(id))
        let (session, closing) = (place?.session, place?.closing)
        let deletion = Task(executorPreference: threads) { [store] in
            _ = await closing?.value
            // What cannot be kept any more need not be.
            _ = try? await session?.value.close()
            try await store.delete(id)
        }
        deletions[Name(id)] = deletion
        await untilOver(deletion, of: id)
        try await deletion.value
    }
}
