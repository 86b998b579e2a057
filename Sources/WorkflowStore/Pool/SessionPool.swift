import LibC
public import WorkerKit
public import WorkflowKit

/// Plays the sessions of a store on few threads and in bounded memory: a session is opened when it is asked for, stays
/// open for the next time, and is closed when others need its place.
///
/// ```swift
/// let pool = SessionPool(in: store) { id in (.file("todo.lua"), FlowOptions(props: ["user": .string(id)])) }
/// try await pool.use("groceries") { session in
///     try await session.send(["type": "add", "text": "milk"])
/// }
/// ```
///
/// Nothing is lost when a session is closed, as a ``StoredSession`` keeps each input before anybody sees what came of it.
/// One that has workers at work stays open, as does one in use; if there are more of these than the pool is to hold, it
/// holds them all the same.
public actor SessionPool {
    /// What a session is opened with: its flow and its settings.
    public typealias Opening = (source: FlowSource, options: FlowOptions)

    /// Where the sessions are kept.
    public nonisolated let store: any SessionStore
    /// The threads on which the sessions are played, apart from those of the global executor: a flow that computes for
    /// long holds up other flows at most.
    public nonisolated let threads: WorkerThreads

    private let limit: Int
    private let settings: StoredSessionOptions
    private let prepare: @Sendable (String) async throws -> Opening
    private let onEvent: @Sendable (String, FlowEvent) -> Void
    private var places: [String: Place] = [:]
    /// Counts the uses, so that it is known which was the last of each session.
    private var useCount: UInt64 = 0
    /// How many sessions are being closed to make room.
    private var closingCount = 0
    private var isClosed = false

    /// A session in the pool.
    private final class Place {
        let session: Task<StoredSession, any Error>
        var users = 0
        var lastUse: UInt64 = 0
        /// Set while it is being closed; tells whether it was.
        var closing: Task<Bool, Never>?

        init(_ session: Task<StoredSession, any Error>) { self.session = session }
    }

    /// A pool with no session open yet.
    ///
    /// - Parameters:
    ///   - store: Where the sessions are kept.
    ///   - limit: How many sessions stay open; at least 1.
    ///   - threads: How many threads play them, by default as many as the processor has cores.
    ///   - settings: How they are kept.
    ///   - onEvent: Called with a session's id and each of its events when what it tells is kept.
    ///   - prepare: Called for a session that is to be opened, by its id. An `executor` in the options is replaced by the
    ///     pool's ``threads``.
    public init(
        in store: any SessionStore, limit: Int = 1000, threads: Int = SessionPool.coreCount,
        settings: StoredSessionOptions = StoredSessionOptions(),
        onEvent: @escaping @Sendable (_ id: String, _ event: FlowEvent) -> Void = { _, _ in },
        prepare: @escaping @Sendable (_ id: String) async throws -> Opening
    ) {
        self.store = store
        self.limit = max(limit, 1)
        self.threads = WorkerThreads(limit: threads)
        self.settings = settings
        self.onEvent = onEvent
        self.prepare = prepare
    }

    /// How many cores the processor has at work.
    public static var coreCount: Int { max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1) }

    /// How many sessions are open.
    public var openCount: Int { places.count }

    /// Does something with a session, which is opened if it is not: gone on with, or begun if the store has none of this id.
    ///
    /// Calls for one session may come at the same time; what they ask of it is done one thing at a time. The session is
    /// the body's until it returns and is not to be kept: afterwards it may be closed at any time.
    ///
    /// - Throws: What keeps the session from being opened, as ``StoredSession/open(_:of:in:options:settings:onEvent:)`` does;
    ///   a ``StoreError`` with the code `closed` after ``close(within:)``; or what the body throws.
    public nonisolated func use<Result: Sendable>(
        _ id: String, _ body: @Sendable (StoredSession) async throws -> Result
    ) async throws -> Result {
        try await withTaskExecutorPreference(threads) {
            let session = try await acquire(id)
            do {
                let result = try await body(session)
                await release(id)
                return result
            } catch {
                await release(id)
                throw error
            }
        }
    }

    private func acquire(_ id: String) async throws -> StoredSession {
        while let place = places[id], let closing = place.closing {
            end(place, of: id, isLeft: await closing.value)
        }
        guard !isClosed else { throw StoreError(.closed, "the pool is closed") }
        let place = places[id] ?? makePlace(id)
        useCount += 1
        place.lastUse = useCount
        place.users += 1
        do {
            let session = try await place.session.value
            await makeRoom()
            return session
        } catch {
            // The next call tries again.
            if places[id] === place { places[id] = nil }
            throw error
        }
    }

    private func release(_ id: String) async {
        places[id]?.users -= 1
        await makeRoom()
    }

    private func makePlace(_ id: String) -> Place {
        let (store, settings, threads) = (store, settings, threads)
        let (prepare, onEvent) = (prepare, onEvent)
        let place = Place(
            Task(executorPreference: threads) {
                var (source, options) = try await prepare(id)
                options.executor = threads
                return try await StoredSession.open(
                    id, of: source, in: store, options: options, settings: settings,
                    onEvent: { onEvent(id, $0) })
            })
        places[id] = place
        return place
    }

    // MARK: Closing

    /// Closes the sessions that were not used for the longest time while there are too many.
    private func makeRoom() async {
        var atWork: Set<String> = []
        while places.count - closingCount > limit, let id = longestUnused(except: atWork) {
            if await !leave(id) { atWork.insert(id) }
        }
    }

    private func longestUnused(except atWork: Set<String>) -> String? {
        places.filter { $1.users == 0 && $1.closing == nil && !atWork.contains($0) }
            .min { $0.value.lastUse < $1.value.lastUse }?.key
    }

    /// Closes a session that nobody uses, unless it has workers at work.
    private func leave(_ id: String) async -> Bool {
        guard let place = places[id] else { return false }
        let closing = Task(executorPreference: threads) { [session = place.session] in
            guard let session = try? await session.value else { return true }
            let isAtWork = try? await session.perform { $0.hasRunningWorkers }
            if isAtWork == true { return false }
            // What was acknowledged is in the store even if the last snapshot cannot be kept.
            _ = try? await session.close()
            return true
        }
        place.closing = closing
        closingCount += 1
        let isLeft = await closing.value
        closingCount -= 1
        end(place, of: id, isLeft: isLeft)
        return isLeft
    }

    /// Notes what came of closing a session; whoever learns of it first does so.
    private func end(_ place: Place, of id: String, isLeft: Bool) {
        place.closing = nil
        if isLeft, places[id] === place { places[id] = nil }
    }

    /// Closes all sessions, each when what it is doing is done; later calls throw `closed`.
    ///
    /// - Parameter limit: How long workers have to end.
    /// - Returns: The names of the workers that were left behind, by the ids of their sessions.
    @discardableResult
    public func close(within limit: Duration = .seconds(2)) async -> [String: [String]] {
        isClosed = true
        var abandoned: [String: [String]] = [:]
        await withTaskGroup(of: (String, [String]).self) { group in
            for (id, place) in places {
                let (session, closing) = (place.session, place.closing)
                group.addTask {
                    _ = await closing?.value
                    guard let session = try? await session.value else { return (id, []) }
                    return (id, (try? await session.close(within: limit)) ?? [])
                }
            }
            for await (id, names) in group where !names.isEmpty { abandoned[id] = names }
        }
        places = [:]
        return abandoned
    }
}
