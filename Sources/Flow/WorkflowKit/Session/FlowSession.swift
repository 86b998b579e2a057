import Synchronization
public import Workflow
public import WorkflowLua
import WorkflowPlugins

/// A running flow: its tree, and the log of its events.
///
/// ```swift
/// let session = try await FlowSession.open(.file("todo.lua")) { print($0.record.json) }
/// try await session.send(["type": "add", "text": "milk"])
/// print(await session.rendering["title"] ?? .null)
/// ```
///
/// A session is an actor: calls into the flow happen on it, one at a time, and return when all that
/// they caused at once is done.
///
/// - Important: A session ends with ``close(within:)``, and also when it is released.
public actor FlowSession {
    /// The settings of the session.
    public nonisolated let options: FlowOptions

    let log: FlowEventLog
    private let interruption: FlowInterrupt
    /// Ends the watch of the session's calls; `nil` without one.
    private let endWatch: (@Sendable () -> Void)?
    private let workers: WorkerSession
    private(set) lazy var player = makePlayer()
    package var past: any FlowPast { player }
    /// The recorder of log points in the replay of a recording.
    var recorder: LogRecorder?
    /// The last share for which the session had a process; see ``ScriptProcesses/share``.
    nonisolated let lastShare = Mutex<String?>(nil)
    private var waitingForBeginning: [@Sendable (isolated FlowSession) -> Void] = []
    private var idleWaiters: [CheckedContinuation<Void, Never>] = []

    /// Loads a flow and renders it for the first time.
    ///
    /// ```swift
    /// let session = try await FlowSession.open(
    ///     .file("todo.lua"), options: options, restoring: snapshot, replaying: inputs)
    /// ```
    ///
    /// - Parameters:
    ///   - source: The flow.
    ///   - options: Props, limits, plugins and other settings.
    ///   - snapshot: The snapshot to restore; see ``snapshot()``.
    ///   - inputs: The inputs after the snapshot to replay. Workers start after the last one.
    ///   - onEvent: Called on the session with each event except those of `inputs`, first `ready`.
    /// - Throws: The `FlowError` if the flow does not load or its first render fails.
    public static func open(
        _ source: FlowSource, options: FlowOptions = FlowOptions(),
        restoring snapshot: FlowSnapshot? = nil, replaying inputs: [FlowInput] = [],
        onEvent: @escaping @Sendable (FlowEvent) -> Void = { _ in }
    ) async throws(FlowError) -> FlowSession {
        let session = FlowSession(options: options, onEvent: onEvent)
        // The outputs of resumed workers are charged to the last sender.
        session.lastShare.withLock { $0 = inputs.last?.principal }
        try await session.borrowProcess()
        defer { session.giveBackProcess() }
        try await session.start(source, restoring: snapshot, replaying: inputs)
        return session
    }

    /// Makes a session that has not started; see ``start(_:restoring:replaying:)``.
    ///
    /// ```swift
    /// let session = FlowSession(options: options) { event in print(event.record.json) }
    /// try await session.start(.file("todo.lua"))
    /// ```
    ///
    /// - Parameter onEvent: Called on the session with each event.
    public init(
        options: FlowOptions = FlowOptions(),
        onEvent: @escaping @Sendable (FlowEvent) -> Void = { _ in }
    ) {
        self.options = options
        interruption = FlowInterrupt(notesPlace: options.watch != nil)
        endWatch = options.watch?(interruption)
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
        lines.deliver(on: options.executor) { [weak self] line in await self?.log(line) }
    }

    deinit {
        leaveProcesses()
        endWatch?()
    }

    private func makePlayer() -> FlowPlayer {
        let source =
            options.runsWorkers
            ? PluginWorkers(session: workers)
            : SilentWorkers() as any WorkerSource
        let player = FlowPlayer(
            options: options, log: log, workers: source, interruption: interruption, owner: self)
        player.host.onInputEnd = { [unowned self] in assumeIsolated { $0.inputEnded() } }
        if hasSharedProcesses {
            player.host.runsNews = { [weak self] body in await self?.withProcess(for: body) }
        }
        return player
    }

    /// Loads and renders a flow, or restores a snapshot and the inputs after it.
    ///
    /// - Parameters:
    ///   - source: The flow.
    ///   - snapshot: The snapshot to restore; `nil` to start anew. See ``snapshot()``.
    ///   - inputs: The inputs after the snapshot. Workers start after the last one.
    /// - Throws: The `FlowError` if the flow does not load, its first render fails or it cannot be
    ///   restored; it is sent as an event too. A second start has the code `misuse` and changes
    ///   nothing.
    public func start(
        _ source: FlowSource, restoring snapshot: FlowSnapshot? = nil,
        replaying inputs: [FlowInput] = []
    ) throws(FlowError) {
        guard player.header == nil else { throw player.reported(FlowError(.startedAgain)) }
        defer {
            if player.header != nil {
                let waiting = waitingForBeginning
                waitingForBeginning = []
                for body in waiting { body(self) }
            } else {
                options.journal?.discard()
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

    /// Ends the tree and its workers. Later calls throw a `FlowError` with the code `misuse`.
    ///
    /// ```swift
    /// let abandoned = await session.close(within: .seconds(10))  // ["process.run"]
    /// ```
    ///
    /// - Important: Workers that do not end in time are abandoned. They keep their resources.
    /// - Parameter limit: The time for workers to end.
    /// - Returns: The names of the abandoned workers.
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

    /// Ends the workers of a session without waiting for its current call into the flow.
    package nonisolated func giveUp() async {
        _ = await workers.end(within: .zero)
        leaveProcesses()
    }

    /// Interrupts the current call into the flow, from any thread. An action is rolled back, a
    /// render keeps the last rendering, and the error has the code `interrupted`.
    ///
    /// Never waits. The session continues afterwards.
    ///
    /// ```swift
    /// let watch = Task {
    ///     try await Task.sleep(for: .seconds(1))
    ///     session.interrupt()
    /// }
    /// defer { watch.cancel() }
    /// try await session.send("spin")  // throws interrupted if it takes longer
    /// ```
    ///
    /// - Important: Native workflows are not interrupted.
    /// - Returns: True if a call was interrupted. Between two calls of one action there is none.
    @discardableResult
    public nonisolated func interrupt() -> Bool { interruption.stop() }

    // MARK: Workers

    /// True if a worker is running.
    public var hasRunningWorkers: Bool { player.tree?.hasRunningWorkers ?? false }

    /// The time at which the first worker wakes, in milliseconds since 1970, if all running workers
    /// sleep until a time; `nil` if one is busy, and if there is none.
    ///
    /// A host may close such a session, and reopen it then from a ``snapshot()``; timers continue.
    public var dormantUntil: Int? { player.dormantUntil }

    /// Gives the outputs of workers again that the flow refused because its action failed.
    ///
    /// A refused output is kept as long as its worker is declared with the same input, also in
    /// snapshots; see ``FlowNode/Worker/refused``. ``reload(_:)`` gives it again as well. An output
    /// that the flow accepts now is a step like any other. After an output that is refused again,
    /// the later ones of its worker wait.
    ///
    /// ```swift
    /// let count = try await session.retry("weather/http.get")  // 1
    /// ```
    ///
    /// - Parameter worker: The path of a worker, below that of its node; by default all workers.
    /// - Returns: The number of outputs that the flow accepted.
    /// - Throws: The first error of the flow; it is also an event.
    @discardableResult
    public func retry(_ worker: NodePath? = nil) throws(FlowError) -> Int {
        try player.retry(worker)
    }

    /// Keeps the refused outputs of a snapshot and no others. A copy of a session has no other
    /// source for them than snapshots.
    package func restoreRefused(of snapshot: FlowSnapshot) {
        player.restoreRefused(of: snapshot)
    }

    /// The number of changes to the refused outputs that are kept.
    package var refusedRevision: Int { player.workers.starts.refusedRevision }

    /// True if a worker is running that was running before the session was opened.
    package var hasResumedWorkers: Bool { player.workers.starts.hasResumed }

    /// The step at which the running worker of some news was declared, counted from the first step
    /// of ``FlowOptions/firstStep``; `nil` if it does not run.
    package func step(ofWorkerOf news: WorkerNews) -> Int? { player.step(ofWorkerOf: news) }

    /// Waits until no worker is running, or the session is closed.
    ///
    /// ```swift
    /// await session.untilIdle()
    /// let rendering = await session.rendering  // with the outputs of all workers
    /// ```
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

    /// Adds an event of the caller to the session's log.
    ///
    /// ```swift
    /// await session.record(.log(level: .info, message: "Ada has joined", location: nil))
    /// ```
    public func record(_ kind: FlowEvent.Kind) { log.add(kind) }
}
