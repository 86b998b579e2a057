public import PlainValue
import WorkflowKit

/// A session that is kept in a store: it goes on where it was, in this process or another, whatever happens to this one.
///
/// ```swift
/// let store = try SQLiteSessionStore(path: "sessions.sqlite")
/// let session = try await StoredSession.open("groceries", of: .file("todo.lua"), in: store)
/// try await session.send(["type": "add", "text": "milk"])
/// ```
///
/// An input is dealt with, then kept, and only then seen: a call returns, events and renderings are told, and workers
/// that the input started begin their work when the store has acknowledged it. So nobody sees, and nothing is done
/// for, what a crash could take back. Workers that were at work when a process ended start again.
///
/// Calls that come while others are being kept are done one after the other as soon as that is over, and kept together: each
/// has its own answer, and one that fails concerns no other. They wait for the disk once.
///
/// When the store does not take an input, the session is loaded from the store again, as if the input had never come, and
/// the call throws the ``StoreError``. One that somebody else has advanced meanwhile (`conflict`) is then up to date. After
/// an error that leaves it open whether the input is kept, the session reads it back, and goes on from what is there; if
/// that cannot be read either, the call throws the code `unknown`.
///
/// What workers give is kept without a call. If it cannot be, they run again, at most every 30 seconds while the store goes
/// on refusing; a session that cannot be loaded again meanwhile is loaded as soon as that works.
///
/// A request that has a ``RequestKey`` is done once, however often it is sent: who sends it again gets the answer of the
/// first time, which is made from the kept inputs. If its step was given up since, the call throws the code `given_up`, and
/// another request under the same key `key_reused`.
///
/// A caller who is cancelled is answered at once. A call that has not begun by then is never done, and throws
/// `CancellationError`; one that has is kept if the store keeps it, and throws the code `unknown`.
public actor StoredSession {
    /// What the session is called in the store.
    public nonisolated let id: String
    /// The store.
    public nonisolated let store: any SessionStore

    let source: FlowSource
    let settings: StoredSessionOptions
    let onEvent: @Sendable (FlowEvent) -> Void
    var onNews: @Sendable (SessionNews) -> Void = { _ in }
    var options: FlowOptions

    /// The session that is played, `nil` after the end, and while it could not be loaded again.
    var live: LiveSession?
    var isClosing = false
    var isClosed = false
    /// How often in a row what workers gave was not kept, or the session not loaded again.
    var failures = 0
    /// Whether the session is to be loaded again in a while.
    var isToBeLoaded = false
    /// The calls that nobody has begun with.
    var calls: [SessionCall] = []
    /// Whether somebody deals with the calls.
    var isServing = false
    /// Whether something is under way, and those who wait until it is done.
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// When the session is to be woken, once it was closed; `nil` if it need not be.
    public internal(set) var wakeUp: WakeUp?
    /// The last rendering that is kept; `null` before the first.
    public internal(set) var rendering: Value = .null
    /// The step at which the session stands; 0 is its beginning.
    public internal(set) var step = 0
    /// The last step; greater than ``step`` when steps were undone.
    public internal(set) var stepCount = 0
    /// The name of the flow.
    public internal(set) var name = ""
    /// The types of action that the root of the flow knows, sorted.
    public internal(set) var actionTypes: [String] = []

    init(
        _ id: String, of source: FlowSource, in store: any SessionStore, options: FlowOptions,
        settings: StoredSessionOptions, onEvent: @escaping @Sendable (FlowEvent) -> Void
    ) {
        self.id = id
        self.source = source
        self.store = store
        self.options = options
        self.settings = settings
        self.onEvent = onEvent
    }

    /// Runs `body` when all that was asked for before is done.
    func exclusively<Result: Sendable, Failure>(
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        if isBusy { await withCheckedContinuation { waiting.append($0) } }
        isBusy = true
        defer {
            // The turn is handed on, so that nobody comes in between.
            if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
        }
        return try await body()
    }

    // MARK: The end

    /// Keeps a snapshot, so that the session is soon opened again, and ends what is played; later calls throw `closed`.
    ///
    /// - Parameter limit: How long workers have to end.
    /// - Returns: The names of the workers that were left behind.
    /// - Throws: A ``StoreError`` if the last inputs of workers, or the snapshot, cannot be kept; the session is closed all
    ///   the same, and has all that was acknowledged.
    @discardableResult
    public func close(within limit: Duration = .seconds(2)) async throws -> [String] {
        try await close(within: limit, if: { _ in true })
    }

    /// Closes the session as ``close(within:)`` does, unless it is at work.
    ///
    /// - Parameter isAtRest: Whether it may be closed as it is played.
    /// - Throws: ``StillAtWork`` if it may not; otherwise as ``close(within:)``.
    func close(
        within limit: Duration = .seconds(2), if isAtRest: @Sendable (isolated FlowSession) -> Bool
    ) async throws -> [String] {
        guard !isClosed else { return [] }
        let outcome: Result<Void, any Error>
        do {
            try await exclusively {
                if let live, await !isAtRest(live.session) { throw StillAtWork() }
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

/// Says that a session was not closed, as it is at work.
struct StillAtWork: Error {}
