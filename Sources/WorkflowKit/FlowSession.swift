import LuaVM
public import PlainValue
import WorkerKit
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

    let log: FlowEventLog
    private let interruption = FlowInterrupt()
    let workers: GatedWorkers
    let workerSession: WorkerSession
    var flow: LuaFlow?
    /// What it began with.
    private(set) var header: FlowHeader?
    /// What is to be done when it has begun.
    var waitingForBeginning: [@Sendable (isolated FlowSession) -> Void] = []
    /// The tree that is shown.
    var tree: FlowTree?
    /// The tree at the end of the timeline, with its workers held, while an earlier step is shown.
    var parked: FlowTree?
    var timeline = Timeline()
    /// What the timeline begins with.
    var origin: SessionOrigin?
    /// When the workers that run were started, by the paths of their nodes.
    var workerStarts: [NodePath: Int] = [:]
    /// The time of a recording that is replayed.
    var replayClock: ReplayClock?
    /// The rendering before a process of the scripts ended, while the tree is made ready to go on in a new one.
    var revived: Value?
    /// Whether the scripts could not be given a process for the input that comes next.
    var couldNotRevive = false
    /// Whether inputs of the timeline are played again, of which nobody is told.
    var isPlayingBack = false
    /// What comes of the input that is played again to be looked at.
    var reviewed: FlowStep?
    /// The inputs that are being dealt with, and how far random numbers had been drawn before. Those which came while
    /// others waited are dealt with first.
    var underWay: [(input: FlowInput, random: RandomState)] = []
    /// The last step that is kept; see ``confirm(through:)``.
    var confirmedStep = -1
    /// The first failure of what is being dealt with.
    var failure: FlowError?
    var pass = 0
    /// The first action applied since the last request came in; what the next rendering is caused by.
    var cause: Int?
    /// The outputs since they were last asked for.
    var newOutputs = UntakenOutputs()
    /// Those who wait for the workers to end.
    var idleWaiters: [CheckedContinuation<Void, Never>] = []

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
        log = FlowEventLog(now: options.now, journal: options.journal, onEvent: onEvent)
        let lines = WorkerLines()
        workerSession = WorkerSession(registry: options.plugins, grants: options.grants) {
            worker, level, line in
            lines.add(WorkerLines.Line(worker: worker, level: level, text: line))
        }
        workers = GatedWorkers(
            options.runsWorkers
                ? PluginWorkers(session: workerSession) : SilentWorkers() as any WorkerSource)
        lines.deliver { [weak self] line in await self?.note(line) }
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
            if header != nil {
                let waiting = waitingForBeginning
                waitingForBeginning = []
                for body in waiting { body(self) }
            }
        }
        do throws(FlowError) {
            try play(source, restoring: snapshot, replaying: inputs)
        } catch {
            // The first pass has reported its failure already.
            throw failure ?? noted(error)
        }
    }

    private func play(
        _ source: FlowSource, restoring snapshot: FlowSnapshot?, replaying inputs: [FlowInput]
    ) throws(FlowError) {
        let flow = try load(source)
        self.flow = flow
        let props = snapshot?.props ?? options.props
        if let snapshot { flow.randomState = snapshot.random }
        let header = header(of: flow, source, props: props, snapshot)
        self.header = header
        log.add(.ready(header))
        log.isMuted = !inputs.isEmpty
        defer { log.isMuted = false }
        origin = SessionOrigin(
            props: props, random: flow.randomState, tree: snapshot?.tree,
            endedWorkers: snapshot?.endedWorkers ?? [])
        if let snapshot { workers.resume(from: resumptions(of: snapshot)) }
        let tree = try makeTree(
            of: flow, props: props, restoring: snapshot?.tree, step: 0)
        workers.resume(from: [:])
        if let snapshot {
            noteStarts(of: snapshot)
            try check(snapshot, flow, tree)
        }
        self.tree = tree
        if options.keepsTimeline { timeline.add(checkpoint(of: tree, flow)) }
        if !inputs.isEmpty {
            try replay(inputs, in: tree, isLenient: snapshot?.isLenient ?? false)
            newOutputs = UntakenOutputs()
        }
        noteRendering(tree.host.rendering.value)
        releaseWorkers()
    }

    private func header(
        of flow: LuaFlow, _ source: FlowSource, props: Value, _ snapshot: FlowSnapshot?
    ) -> FlowHeader {
        var file: String?
        if case .file(let path) = source { file = path }
        return FlowHeader(
            flow: flow.name, session: options.sessionName, file: file, hash: flow.hash,
            seed: options.limits.seed, props: props,
            plugins: options.plugins.plugins.map { "\($0.plugin.name) \($0.plugin.version)" },
            snapshot: snapshot?.document)
    }

    private func load(_ source: FlowSource) throws(FlowError) -> LuaFlow {
        var natives = NativeWorkflows()
        options.registerNativeWorkflows(&natives)
        var configuration = FlowConfiguration(
            limits: options.limits, nativeWorkflows: natives, workers: workers,
            now: { [log] in Double(log.time) / 1000 },
            onPrint: { [unowned self] line in
                assumeIsolated { $0.note(line) }
            },
            onAction: { [unowned self] action in
                assumeIsolated { $0.note(action) }
            },
            onWorker: { [unowned self] news in
                assumeIsolated { $0.note(news) }
            },
            checksRenders: options.checksRenders, interrupt: interruption)
        configuration.rootName = options.flowName
        switch source {
        case .file(let path):
            return try LuaFlow(file: path, configuration: configuration)
        case .text(let text, let name, let modules):
            return try LuaFlow(
                source: text, name: name, modules: FlowModules(modules),
                configuration: configuration)
        }
    }

    // MARK: The end

    /// Ends the tree and its workers; later actions are dropped.
    ///
    /// - Parameter limit: How long workers have to end; those that have not by then are left behind and reported.
    /// - Returns: The names of the workers that were left behind.
    @discardableResult
    public func close(within limit: Duration = .seconds(2)) async -> [String] {
        if let parked {
            // Workers of the past are held and have nothing to tell; those of the end do.
            isPlayingBack = true
            tree?.host.shutDown()
            isPlayingBack = false
            tree = parked
            self.parked = nil
        }
        tree?.host.shutDown()
        tree = nil
        flow = nil
        resumeIdleWaiters()
        let abandoned = await workerSession.end(within: limit)
        for name in abandoned { log.add(.worker(.abandoned, worker: name, key: "", node: "")) }
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

    // MARK: What is to be seen

    /// The last good rendering; `null` after ``close(within:)``.
    public var rendering: Value { tree?.host.rendering.value ?? .null }

    /// The name of the flow.
    public var name: String { flow?.name ?? "" }

    /// The types of action that the root knows, sorted; empty if one function takes them all.
    public var actionTypes: [String] { flow?.actionTypes ?? [] }

    /// The outputs of the root since this was last called.
    ///
    /// Of outputs that nobody takes the latest are kept, about 64 MB, and always those of the last input; ``outputs`` and
    /// events lose none.
    public func takeOutputs() -> [Value] { newOutputs.takeAll() }

    /// Whether a worker is at work.
    public var hasRunningWorkers: Bool { tree?.hasRunningWorkers ?? false }

    /// Waits until no worker is at work, or the session is closed.
    public func untilIdle() async {
        guard hasRunningWorkers else { return }
        await withCheckedContinuation { idleWaiters.append($0) }
    }

    func resumeIdleWaiters() {
        let waiters = idleWaiters
        idleWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    /// Adds an event of the caller's own to the session's order.
    public func record(_ kind: FlowEvent.Kind) { log.add(kind) }
}
