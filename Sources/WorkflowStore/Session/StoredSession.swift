public import PlainValue
public import WorkflowKit
import WorkflowLua

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
/// When the store does not take an input, the session is loaded from the store again, as if the input had never come, and
/// the call throws the ``StoreError``. One that somebody else has advanced meanwhile (`conflict`) is then up to date.
public actor StoredSession {
    /// What the session is called in the store.
    public nonisolated let id: String
    /// The store.
    public nonisolated let store: any SessionStore

    let source: FlowSource
    let settings: StoredSessionOptions
    private let onEvent: @Sendable (FlowEvent) -> Void

    private var options: FlowOptions
    /// The session that is played, `nil` after the end, and while it could not be loaded again.
    private var live: LiveSession?
    private var isClosing = false
    private var isClosed = false
    /// Whether something is under way, and those who wait until it is done.
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// The last rendering that is kept; `null` before the first.
    public private(set) var rendering: Value = .null
    /// The step at which the session stands; 0 is its beginning.
    public private(set) var step = 0
    /// The last step; greater than ``step`` when steps were undone.
    public private(set) var stepCount = 0
    /// The name of the flow.
    public private(set) var name = ""
    /// The types of action that the root of the flow knows, sorted.
    public private(set) var actionTypes: [String] = []

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

    // MARK: One thing at a time

    /// Does something with the session as it is played, and waits until what came of it is kept.
    ///
    /// The body may send actions, several of which are then kept together or not at all, or look at anything.
    ///
    /// - Throws: What the body throws, in which case that is kept which it had done before; or the ``StoreError`` of what
    ///   could not be kept.
    public func perform<Result: Sendable>(
        _ body: @Sendable (isolated FlowSession) throws -> Result
    ) async throws -> Result {
        try await perform(makingSnapshot: false, body)
    }

    func perform<Result: Sendable>(
        makingSnapshot: Bool, _ body: @Sendable (isolated FlowSession) throws -> Result
    ) async throws -> Result {
        try await exclusively {
            try await catchUp(try await loaded(), makingSnapshot: makingSnapshot, body)
        }
    }

    /// Does something in a session and keeps what came of it and before it.
    @discardableResult
    func catchUp<Result: Sendable>(
        _ live: LiveSession, makingSnapshot: Bool = false,
        _ body: @Sendable (isolated FlowSession) throws -> Result
    ) async throws -> Result {
        let (result, batch) = await serve(
            live.session,
            live.baseline(interval: settings.snapshotInterval, makesSnapshot: makingSnapshot), body)
        try await save(batch, of: live)
        return try result.get()
    }

    /// Runs `body` when all that was asked for before is done.
    func exclusively<Result: Sendable>(
        _ body: () async throws -> Result
    ) async throws -> Result {
        if isBusy { await withCheckedContinuation { waiting.append($0) } }
        isBusy = true
        defer {
            // The turn is handed on, so that nobody comes in between.
            if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
        }
        return try await body()
    }

    /// Keeps what came by itself, from workers.
    private func saveNews() async {
        do {
            try await perform { _ in }
        } catch {
            // Nobody waits for an answer, so it is told as an event.
            let error = (error as? StoreError).map(FlowError.init) ?? FlowError(.host, "\(error)")
            if !isClosed { try? await perform { $0.record(.error(error)) } }
        }
    }

    private func save(_ batch: Batch, of live: LiveSession) async throws {
        if let change = batch.change {
            do throws(StoreError) {
                let version = try await store.append(change, to: id, expecting: live.version)
                live.advance(to: version, by: change, snapshotStep: batch.snapshotStep)
            } catch {
                throw await loadAgain(after: error)
            }
            await live.session.confirm(through: change.step - live.base)
        }
        publish(batch.events, of: live)
    }

    private func publish(_ events: [FlowEvent], of live: LiveSession) {
        step = live.step
        stepCount = live.stepCount
        for event in events {
            switch event.kind {
            case .rendering(let value, let actions, _):
                rendering = value
                actionTypes = actions
            case .ready(let header): name = header.flow
            default: break
            }
            onEvent(event)
        }
    }

    // MARK: Loading

    /// The session as it is played; one that could not be loaded again is tried once more.
    func loaded() async throws -> LiveSession {
        if !isClosed, live == nil { try await load() }
        // It may have been closed meanwhile.
        guard !isClosed, let live else {
            throw StoreError(.closed, "the session '\(id)' is closed")
        }
        return live
    }

    /// The session as it is played now, if it is.
    var playedSession: FlowSession? { live?.session }

    /// Plays the session as the store has it.
    ///
    /// - Parameter step: The step to show; by default the one at which it stands.
    func load(showing step: Int? = nil) async throws {
        let contents = try await store.load(id, reaching: step)
        var snapshot = try FlowSnapshot(document: contents.snapshot.document)
        snapshot.isLenient = settings.isLenient
        // Two sessions of one name are never at work at a time.
        await drop()
        let pending = PendingNews()
        let live = LiveSession(
            try await FlowSession.open(
                source, options: options(notifying: pending), restoring: snapshot,
                replaying: contents.inputs, onEvent: { pending.add($0) }),
            pending, contents.summary, base: contents.snapshot.step)
        adopt(live)
        do {
            let target = (step ?? contents.summary.step) - live.base
            let files = try await catchUp(live) { session in
                if session.step != target { try session.go(to: target) }
                return try session.snapshot().files
            }
            live.needsSnapshot = files != snapshot.files
        } catch {
            if self.live === live { await drop() }
            throw error
        }
        await live.session.confirm(through: live.stepCount - live.base)
    }

    /// Plays a session from its beginning and keeps it.
    func begin() async throws {
        let pending = PendingNews()
        let session = try await FlowSession.open(
            source, options: options(notifying: pending), onEvent: { pending.add($0) })
        let snapshot = try await session.snapshot()
        let summary = try await store.create(
            NewSession(
                id: id, flow: snapshot.flow, document: snapshot.document,
                milliseconds: options.now()))
        let live = LiveSession(session, pending, summary, base: 0)
        adopt(live)
        try await catchUp(live) { _ in }
        await session.confirm(through: 0)
    }

    private func options(notifying pending: PendingNews) -> FlowOptions {
        var options = options
        options.onInput = { pending.add($0, step: $1) }
        return options
    }

    /// Plays `live` from now on.
    private func adopt(_ live: LiveSession) {
        self.live = live
        // The stream ends when the session that writes to it is released.
        Task(executorPreference: options.executor) { [weak self, news = live.pending.news] in
            for await _ in news { await self?.saveNews() }
        }
    }

    /// Ends what is played.
    @discardableResult
    private func drop(within limit: Duration = .seconds(2)) async -> [String] {
        guard let old = live else { return [] }
        live = nil
        if options.journal != nil {
            await old.session.record(
                .log(
                    level: .warning, message: "the recording ends: the session was loaded again",
                    location: nil))
            options.journal = nil
        }
        return await old.session.close(within: limit)
    }

    /// Loads the session again, as the store did not take a change.
    private func loadAgain(after error: StoreError) async -> StoreError {
        var error = error
        await drop()
        if isClosing { return error }
        do {
            try await load()
            error.notes.append("the session was loaded again and stands at step \(step)")
        } catch let reason {
            error.notes.append("the session cannot be loaded again yet: \(reason)")
        }
        return error
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
        guard !isClosed else { return [] }
        let outcome: Result<Void, any Error>
        do {
            try await exclusively {
                isClosing = true
                defer { isClosed = true }
                if let live { try await catchUp(live, makingSnapshot: true) { _ in } }
            }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        options.journal = nil
        let abandoned = await drop(within: limit)
        try outcome.get()
        return abandoned
    }
}

extension FlowError {
    fileprivate init(_ error: StoreError) {
        self.init(.host, error.message, help: error.help)
        notes = error.notes
    }
}
