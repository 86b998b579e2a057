import LuaVM
import PlainValue
import WorkerKit
import Workflow
import WorkflowLua
import WorkflowPlugins

/// Plays a flow synchronously: its tree, its timeline and the log of its events.
///
/// A player belongs to the isolation that makes it. A session is a player on an actor; tests and
/// the explorer drive one directly. Each call returns when all of its immediate consequences are
/// done, and throws the error of its input after logging it.
final class FlowPlayer {
    let log: FlowEventLog
    /// The flow; `nil` before it is loaded and after the end.
    var flow: LuaFlow?
    var tree: FlowTree?
    var host: Host
    var processing = InputProcessing()
    var past = Past()
    var scripts: Scripts
    var workers: Workers
    /// The time at which the session began, in milliseconds since 1970; `nil` before.
    private(set) var startTime: Int?
    let link = Link()

    /// Makes a player without a flow; see ``open(_:restoring:replaying:)``.
    init(
        options: FlowOptions, log: FlowEventLog, workers: any WorkerSource,
        interruption: FlowInterrupt = FlowInterrupt(), owner: (any Actor)? = nil
    ) {
        self.log = log
        host = Host(options: options, owner: owner)
        scripts = Scripts(interruption: interruption)
        let starts = WorkerStarts(session: options.sessionName, now: options.now)
        self.workers = Workers(
            gated: GatedWorkers(workers, starts), isSilent: workers is SilentWorkers,
            starts: starts)
        link.player = self
    }

    /// Makes a player whose workers do nothing by themselves.
    ///
    /// - Parameter now: The time in milliseconds since 1970; it stands still by default.
    convenience init(
        options: FlowOptions, checksWorkers: Bool = false,
        interruption: FlowInterrupt = FlowInterrupt(), owner: (any Actor)? = nil,
        now: @escaping () -> Int = { 0 }, onEvent: @escaping (FlowEvent) -> Void = { _ in }
    ) {
        self.init(
            options: options, log: FlowEventLog(now: now, journal: nil, onEvent: onEvent),
            workers: checksWorkers ? CheckedWorkers(registry: options.plugins) : SilentWorkers(),
            interruption: interruption, owner: owner)
    }

    deinit { link.player = nil }

    var options: FlowOptions { host.options }
    var timeline: Timeline { past.timeline }
    var header: FlowHeader? { scripts.header }
    var source: FlowSource? { scripts.source }
    var hasOtherFiles: Bool { scripts.hasOtherFiles }
    var pass: Int { processing.pass }

    // MARK: The beginning

    /// Loads and renders a flow, or continues from a snapshot and the inputs after it. Called once.
    func open(
        _ source: FlowSource, restoring snapshot: FlowSnapshot? = nil,
        replaying inputs: [FlowInput] = []
    ) throws(FlowError) {
        scripts.source = source
        var file: String?
        if case .file(let path) = source {
            file = path
            scripts.folder = path.folderOfPath
        }
        startTime = snapshot?.startTime ?? options.startTime ?? log.time
        // The code of the files runs before the first event, and must see its time.
        if snapshot == nil, options.startTime == nil { log.inputTime = startTime }
        defer { log.inputTime = nil }
        do throws(FlowError) { flow = try load(source) } catch { throw reported(error) }
        try begin(file: file, restoring: snapshot, replaying: inputs)
    }

    func open(_ flow: LuaFlow) throws(FlowError) {
        self.flow = flow
        workers.gated = nil
        workers.isSilent = false
        try begin(file: nil, restoring: nil, replaying: [])
    }

    private func begin(
        file: String?, restoring snapshot: FlowSnapshot?, replaying inputs: [FlowInput]
    ) throws(FlowError) {
        assert(tree == nil && timeline.count == 0, "a player is opened twice")
        guard let flow else { return }
        let props = snapshot?.props ?? options.props
        var header = FlowHeader(
            flow: flow.name, session: options.sessionName, file: file, hash: flow.hash,
            seed: options.limits.seed, props: props,
            plugins: options.plugins.plugins.map { "\($0.plugin.name) \($0.plugin.version)" },
            snapshot: snapshot?.document,
            principal: snapshot == nil ? options.principal : snapshot?.principal)
        header.startTime = startTime
        scripts.header = header
        if let snapshot { log.setEarliest(snapshot.milliseconds) }
        log.add(.ready(header))
        log.inputTime = nil
        let origin = FlowCheckpoint(
            step: 0, tree: snapshot?.tree, random: snapshot?.random ?? flow.randomState,
            props: props, ended: snapshot?.endedWorkers ?? [], refusals: options.refusals)
        past.origin = origin
        log.isMuted = !inputs.isEmpty
        defer { log.isMuted = false }
        // A new flow's states are made for its creator, those that a snapshot lacks for nobody.
        log.principal = origin.tree == nil ? header.principal : nil
        defer { log.principal = nil }
        let tree = try makeTree(of: flow, from: origin)
        log.principal = nil
        self.tree = tree
        past.origin?.refusals = tellRefusals()
        do throws(FlowError) {
            if let snapshot { try goOn(from: snapshot, in: tree, flow) }
            if options.keepsTimeline { past.timeline.add(checkpoint(of: tree, flow)) }
            if !inputs.isEmpty {
                try replay(inputs, in: tree, isLenient: snapshot?.isLenient ?? false)
                // The outputs of replayed inputs were taken when they came.
                processing.untaken = UntakenOutputs()
            }
            if let last = inputs.last?.milliseconds ?? snapshot?.milliseconds {
                workers.starts.resume(since: max(last, snapshot?.milliseconds ?? last))
            }
        } catch {
            tree.host.shutDown()
            self.tree = nil
            log.isMuted = false
            throw reported(error)
        }
        rendered(tree.host.rendering.value)
        tellMistakes()
        releaseWorkers()
        // The new code may accept outputs that the old code refused. A stored session does this
        // itself, after its step is loaded.
        if scripts.hasOtherFiles, options.onInput == nil { _ = try? retry() }
    }

    private func load(_ source: FlowSource) throws(FlowError) -> LuaFlow {
        var natives = NativeWorkflows()
        options.registerNativeWorkflows(&natives)
        var luaOptions = LuaFlow.Options(
            limits: options.limits, nativeWorkflows: natives, workers: workers.gated ?? NoWorkers(),
            now: { [unowned self] in listener.time },
            principal: { [unowned self] in listener.principal },
            onPrint: { [unowned self] line in listener.printed(line) },
            onAction: { [unowned self] action in listener.actionBegan(action) },
            onWorker: { [unowned self] news in listener.workerReported(news) },
            checksRenders: options.checksRenders, interrupt: scripts.interruption)
        luaOptions.rootName = options.flowName
        luaOptions.libraries = options.libraries
        luaOptions.startTime = startTime
        switch source {
        case .file(let path): return try LuaFlow(file: path, options: luaOptions)
        case .text(let text, let name, let modules):
            return try LuaFlow(
                source: text, name: name, modules: FlowModules(modules), options: luaOptions)
        }
    }

    // MARK: The end

    /// Ends the tree and its workers, and logs their end.
    func close() {
        if let parked = past.parked {
            // Workers of the past are held and have nothing to report; those of the last step do.
            if let tree { endSilently(tree) }
            tree = parked
            past.parked = nil
        }
        forgetLooks()
        tree?.host.shutDown()
        tree = nil
        flow = nil
    }

    func abandon() {
        processing.silence = SilentListener(time: log.time)
        close()
        processing.silence = nil
    }

    var isClosed: Bool { scripts.header != nil && flow == nil }

    // MARK: What is shown

    var rendering: Value { tree?.host.rendering.value ?? .null }

    var props: Value { tree?.props ?? .null }

    var step: Int { tree?.step ?? 0 }

    func state(of path: NodePath? = nil) -> Value? {
        guard let flow, let tree else { return nil }
        return tree.host.state(of: LuaWorkflow.self, at: path ?? flow.rootPath)?.value
    }

    var runningWorkers: [WorkerRun] {
        tree?.host.workers(of: ScriptedWorker.self).filter { !$0.hasEnded }
            .map { WorkerRun(path: $0.path, input: $0.worker.input) } ?? []
    }

    var shownTree: WorkflowHost<LuaWorkflow>? { tree?.host }

    var stoppedTime: Int? {
        get { log.stoppedTime }
        set { log.stoppedTime = newValue }
    }

    // MARK: Outputs

    func takeOutputs() -> [Value] { processing.untaken.removeAll() }
}
