import Workflow
public import WorkflowLua
import WorkflowPlugins

/// A flow that is being played: its tree, and the log of what happens in it.
///
/// ```swift
/// let session = try await FlowSession.open(.file("todo.lua")) { event in print(event.record.json) }
/// try await session.send(["type": "add", "text": "milk"])
/// print(await session.rendering["title"])
/// ```
///
/// An actor: every call into the flow happens on it, one at a time, and a call returns when all that it caused
/// at once is done. A session ends with ``close(within:)`` or when it is released.
public actor FlowSession {
    /// The settings that it was made with.
    public nonisolated let options: FlowOptions

    package let log: FlowEventLog
    private let interruption = FlowInterrupt()
    private let workers: WorkerSession
    /// What it plays the flow with.
    package private(set) lazy var player = makePlayer()
    /// Writes down what is logged of a recording that is played.
    var recorder: LogRecorder?
    /// What is to be done when it has begun.
    private var waitingForBeginning: [@Sendable (isolated FlowSession) -> Void] = []
    /// Those who wait for the workers to end.
    private var idleWaiters: [CheckedContinuation<Void, Never>] = []

    /// Loads a flow and renders it for the first time.
    ///
    /// - Parameters:
    ///   - source: The flow.
    ///   - options: Props, limits, plugins and the like.
    ///   - snapshot: What to go on from; see ``snapshot()``.
    ///   - inputs: Inputs since then, which are played first; workers start after the last.
    ///   - onEvent: Called on the session with each event, the first being `ready`; what `inputs` cause is left out.
    /// - Throws: The `FlowError` that keeps the flow from loading or from rendering for the first time.
    public static func open(
        _ source: FlowSource, options: FlowOptions = FlowOptions(),
        restoring snapshot: FlowSnapshot? = nil, replaying inputs: [FlowInput] = [],
        onEvent: @escaping @Sendable (FlowEvent) -> Void = { _ in }
    ) async throws(FlowError) -> FlowSession {
        let session = FlowSession(options: options, onEvent: onEvent)
        try await session.borrowProcess()
        defer { session.giveBackProcess() }
        try await session.start(source, restoring: snapshot, replaying: inputs)
        return session
    }

    /// A session that plays nothing yet; see ``start(_:restoring:replaying:)``.
    ///
    /// - Parameter onEvent: Called on the session with each event.
    public init(
        options: FlowOptions = FlowOptions(),
        onEvent: @escaping @Sendable (FlowEvent) -> Void = { _ in }
    ) {
        self.options = options
        log = FlowEventLog(
            now: options.now, journal: options.journal,
            secrets: SecretTexts(options.secrets.union(options.journal?.secrets ?? [])),
            onEvent: onEvent)
        let lines = WorkerLines()
        workers = WorkerSession(
            registry: options.plugins, grants: options.grants, onAccess: options.onAccess,
            advice: options.grantAdvice
        ) { worker, level, line in
            lines.add(WorkerLines.Line(worker: worker, level: level, text: line))
        }
        lines.deliver { [weak self] line in await self?.log(line) }
    }

    deinit { leaveProcesses() }

    private func makePlayer() -> FlowPlayer {
        let source =
            options.runsWorkers
            ? PluginWorkers(session: workers) : SilentWorkers() as any WorkerSource
        let player = FlowPlayer(
            options: options, log: log, workers: source, interruption: interruption, owner: self)
        player.onInputEnd = { [unowned self] in assumeIsolated { $0.inputEnded() } }
        if hasSharedProcesses {
            player.runsNews = { [weak self] body in await self?.withProcess(for: body) }
        }
        return player
    }

    /// Loads a flow and renders it for the first time, or goes on from a snapshot and the inputs since; called once.
    ///
    /// - Throws: The `FlowError` that keeps the flow from loading, from rendering for the first time or from going on; it
    ///   is an event too.
    public func start(
        _ source: FlowSource, restoring snapshot: FlowSnapshot? = nil,
        replaying inputs: [FlowInput] = []
    ) throws(FlowError) {
        defer {
            if player.header != nil {
                let waiting = waitingForBeginning
                waitingForBeginning = []
                for body in waiting { body(self) }
            }
        }
        try player.open(source, restoring: snapshot, replaying: inputs)
    }

    /// Calls `body` on the session as soon as it has begun: now, or when it begins.
    package func whenBegun(_ body: @escaping @Sendable (isolated FlowSession) -> Void) {
        guard player.header != nil else { return waitingForBeginning.append(body) }
        body(self)
    }

    // MARK: The end

    /// Ends the tree and its workers; later actions are dropped.
    ///
    /// - Parameter limit: How long workers have to end; those that have not by then are left behind and reported.
    /// - Returns: The names of the workers that were left behind.
    @discardableResult
    public func close(within limit: Duration = .seconds(2)) async -> [String] {
        for attachment in log.attachments { attachment.sessionWillEnd() }
        giveUpProcess()
        player.close()
        leaveProcesses()
        resumeIdleWaiters()
        let abandoned = await workers.end(within: limit)
        for name in abandoned {
            log.add(.worker(.abandoned, worker: name, key: "", node: NodePath([])))
        }
        for attachment in log.finish() { await attachment.close() }
        return abandoned
    }

    /// Stops the call into the flow that is under way, from any thread: an action that is being applied is rolled back,
    /// of a rendering that is being made the last one stays, and the error has the code `interrupted`.
    ///
    /// Never waits. The session goes on afterwards; what a native workflow does is not stopped.
    ///
    /// - Returns: Whether such a call was under way. Between two calls of one action there is none.
    @discardableResult
    public nonisolated func interrupt() -> Bool { interruption.stop() }

    // MARK: Workers

    /// Whether a worker is at work.
    public var hasRunningWorkers: Bool { player.tree?.hasRunningWorkers ?? false }

    /// When the first worker has something to do, in milliseconds since 1970, if all that are at work do nothing until
    /// then; `nil` if one is busy, and if there is none.
    ///
    /// A host may close such a session, and open it again at that time from a ``snapshot()``: its timers then go on.
    public var dormantUntil: Int? { player.dormantUntil }

    /// Waits until no worker is at work, or the session is closed.
    public func untilIdle() async {
        guard hasRunningWorkers else { return }
        await withCheckedContinuation { idleWaiters.append($0) }
    }

    private func inputEnded() {
        if !idleWaiters.isEmpty, !hasRunningWorkers { resumeIdleWaiters() }
    }

    private func resumeIdleWaiters() {
        let waiters = idleWaiters
        idleWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    private func log(_ line: WorkerLines.Line) {
        log.add(
            .log(
                level: FlowEvent.LogLevel(line.level), message: "\(line.worker): \(line.text)",
                location: nil))
    }

    /// Adds an event of the caller's own to the session's order.
    public func record(_ kind: FlowEvent.Kind) { log.add(kind) }
}
