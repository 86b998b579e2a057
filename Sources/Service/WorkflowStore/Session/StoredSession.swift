public import PlainValue
import WorkflowKit

/// A session in a store. It can be resumed after its process ends, in any process.
///
/// ```swift
/// let store = try SQLiteSessionStore(path: "sessions.sqlite")
/// let session = try await StoredSession.open("groceries", of: .file("todo.lua"), in: store)
/// try await session.send(["type": "add", "text": "milk"])
/// ```
///
/// An input is applied, stored, and then visible: the call returns, events and renderings are
/// published, and the workers that the input started begin to work after the store has acknowledged
/// it. So nothing that a crash can undo is ever visible. Workers of an ended process start again.
///
/// Calls that arrive while others are being stored run one after the other as soon as that is done,
/// and are stored together. They wait for the disk once. Each has its own answer or error.
///
/// If the store does not accept an input, the session is loaded from the store again, as if the
/// input had never come, and the call throws the ``StoreError``. If another process has changed the
/// session (`conflict`), it is then up to date. After an error that leaves the outcome open, the
/// session reads the store to find out. If it cannot, the call throws the code `unknown`.
///
/// In a ``SharedSessionStore`` the workers run at one host: the one that stored the last change. A
/// host that only looks at the session runs none.
///
/// The outputs of workers are stored without a call. If that fails, the workers run again, at most
/// every 30 seconds while the store keeps failing. A session that cannot be loaded is tried again.
///
/// A request with a ``RequestKey`` takes effect once, however often it is sent. Sending it again
/// returns the first answer, made from the stored inputs. If its step was dropped since, the call
/// throws the code `given_up`. Another request with the same key throws `key_reused`.
///
/// A cancelled caller is answered at once. A call that has not started throws `CancellationError`
/// and never runs. One that has started throws the code `unknown`; its effects are stored if
/// possible.
public actor StoredSession {
    /// The id of the session in the store.
    public nonisolated let id: String
    /// The store.
    public nonisolated let store: any SessionStore

    let source: FlowSource
    let storage: StoredSessionOptions
    let suspension: Suspension
    let onEvent: @Sendable (FlowEvent) -> Void
    var onNews: @Sendable (SessionNews) -> Void = { _ in }
    var options: FlowOptions

    /// The running session; `nil` after the end, and while it cannot be loaded again.
    var live: LiveSession?
    var isClosing = false
    var isClosed = false
    /// The number of failures in a row to store workers' outputs, or to load the session.
    var failures = 0
    /// True if loading again is scheduled.
    var isToBeLoaded = false
    var calls: [SessionCall] = []
    var isServing = false
    /// True while an exclusive operation is running; `waiting` are the next ones.
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// The time at which the closed session must be woken; `nil` for never.
    public internal(set) var wakeUp: WakeUp?
    /// The last stored rendering; `null` before the first.
    public internal(set) var rendering: Value = .null
    /// The session's current step; 0 is its beginning.
    public internal(set) var step = 0
    /// The last step; greater than ``step`` after an undo.
    public internal(set) var stepCount = 0
    /// The name of the flow.
    public internal(set) var name = ""
    /// The action types of the flow's root, sorted.
    public internal(set) var actionTypes: [String] = []

    init(
        _ id: String, of source: FlowSource, in store: any SessionStore, options: FlowOptions,
        storage: StoredSessionOptions, suspension: Suspension = Suspension(),
        onEvent: @escaping @Sendable (FlowEvent) -> Void
    ) {
        self.id = id
        self.source = source
        self.store = store
        self.options = options
        self.storage = storage
        self.suspension = suspension
        self.onEvent = onEvent
    }

    /// Runs `body` after all earlier operations.
    func exclusively<Result: Sendable, Failure>(
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        if isBusy { await withCheckedContinuation { waiting.append($0) } }
        isBusy = true
        defer {
            // The turn passes directly to the next one, so that no other task can take it.
            if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
        }
        return try await body()
    }

    // MARK: Closing

    /// Stores a snapshot, with which it opens faster, and ends. Later calls throw `closed`.
    ///
    /// ```swift
    /// let abandoned = try await session.close(within: .seconds(5))
    /// print(abandoned)  // ["brew"]: it did not end in time
    /// ```
    ///
    /// - Parameter limit: The time that workers have to end.
    /// - Returns: The names of abandoned workers.
    /// - Throws: A ``StoreError`` if the last outputs of workers, or the snapshot, cannot be
    ///   stored. The session is closed anyway and has everything that was acknowledged.
    @discardableResult
    public func close(within limit: Duration = .seconds(2)) async throws -> [String] {
        try await close(within: limit, if: { _ in true })
    }

    /// Closes the session like ``close(within:)``, but throws ``StillAtWork`` if it is not at rest.
    func close(
        within limit: Duration = .seconds(2), if isAtRest: @Sendable (isolated FlowSession) -> Bool
    ) async throws -> [String] {
        guard !isClosed else { return [] }
        let outcome: Result<Void, any Error>
        do {
            try await exclusively {
                if let live, !live.isHeld, await !isAtRest(live.session) { throw StillAtWork() }
                isClosing = true
                defer { isClosed = true }
                if let live {
                    try await catchUp(live, .nothing(makingSnapshot: true))
                }
            }
            outcome = .success(())
        } catch let error as StillAtWork {
            throw error
        } catch {
            outcome = .failure(error)
        }
        options.journal = nil
        let abandoned = await drop(within: limit)
        try outcome.get()
        return abandoned
    }
}

extension StoredSession {
    /// Closes the session without waiting for a call into its flow that does not end. What the call
    /// does is not stored, should it end after all.
    func giveUp() async {
        isClosing = true
        isClosed = true
        let old = live
        live = nil
        wakeUp = nil
        isServing = false
        isBusy = false
        // Those who wait find that the session is closed.
        let (calls, waiting) = (calls, waiting)
        (self.calls, self.waiting) = ([], [])
        for call in calls { call.answer(.failure(StoreError.stuck(id))) }
        for waiter in waiting { waiter.resume() }
        await old?.session.giveUp()
    }

    /// Checks, after a call into the flow, that the session was not given up meanwhile. Throws
    /// `stuck`.
    func requireNotGivenUp() throws(StoreError) {
        // A session that is closed otherwise is closed after the call.
        if isClosed { throw .stuck(id) }
    }
}

struct StillAtWork: Error {}
