import LuaVM
import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

/// A flow that a test plays: its tree, what it did, and what of that the test has not asked for yet.
final class TestedFlow {
    /// Something that the flow did, and where the test caused it.
    struct Unclaimed<Content> {
        let content: Content
        let location: FlowError.Location?
    }

    let flow: LuaFlow
    let script: LuaScript
    let router: FlowRouter
    let options: FlowTestOptions
    let time = VirtualTime()
    /// What stands in for native workflows, by name.
    let standIns: [String: LuaReference]
    /// Where the test made the flow.
    let location: FlowError.Location?
    /// The tree; `nil` only while it is being made.
    var tree: FlowTree?
    var outputs: [Unclaimed<Value>] = []
    var errors: [Unclaimed<FlowError>] = []
    /// What was done to the flow, in words.
    var steps: [String] = []
    /// Where the test does what is being done.
    var stepLocation: FlowError.Location?
    /// The workers that the test has spoken of.
    var mentioned: Set<WorkerRun> = []
    /// Whether outputs and workers that the test does not mention are let pass.
    var isLoose = false
    /// The events of the session after the first, for a recording.
    private(set) var log: FlowEventLog
    let events = EventList()
    /// The first failure of what is being done.
    private(set) var failure: FlowError?
    private var pass = 0
    var cause: Int?
    /// The states after each step, and at the beginning.
    var checkpoints: [Checkpoint] = []
    var timers: [WorkerRun: VirtualTimer] = [:]
    /// Whether what happens is only preparation, of which nobody is told.
    var isQuiet = false

    init(
        _ flow: LuaFlow, props: Value, script: LuaScript, router: FlowRouter,
        options: FlowTestOptions, standIns: [String: LuaReference], at location: FlowError.Location?
    ) throws(FlowError) {
        self.flow = flow
        self.script = script
        self.router = router
        self.options = options
        self.standIns = standIns
        self.location = location
        stepLocation = location
        log = FlowEventLog(
            now: { [time] in time.milliseconds }, journal: nil,
            onEvent: { [events] in events.all.append($0) })
        log.add(
            .ready(
                FlowHeader(
                    flow: flow.name, session: "test", hash: flow.hash, seed: options.limits.seed,
                    props: props)))
        let tree = try play { () throws(FlowError) in
            try makeTree(props: props, restoring: nil, step: 0)
        }
        self.tree = tree
        noteRendering(tree.host.rendering.value)
        followWorkers()
        keep(checkpoint(of: tree))
    }

    /// Ends the flow; nobody is told of it.
    func end() {
        isQuiet = true
        tree?.host.shutDown()
        tree = nil
    }

    /// Runs `body` as the flow that the interpreter's reports are of.
    func play<T>(_ body: () throws(FlowError) -> T) throws(FlowError) -> T {
        guard router.flow == nil else {
            throw FlowError(.misuse, "a flow cannot be played by a flow, only by a test")
        }
        try script.setStandIns(standIns)
        router.flow = self
        defer { router.flow = nil }
        return try body()
    }

    func makeTree(
        props: Value, restoring snapshot: TreeSnapshot?, step: Int
    ) throws(FlowError) -> FlowTree {
        failure = nil
        var configuration = HostConfiguration(
            maximumDepth: options.maximumDepth,
            onReport: { [weak self] report in self?.note(report) })
        configuration.onWorkerPhase = { [weak self] phase, session in
            self?.note(phase, at: session.path)
        }
        let host = WorkflowHost(
            workflow: flow.workflow(props: props), restoring: snapshot,
            configuration: configuration)
        if let first = host.renderFailures.first {
            host.shutDown()
            throw failure ?? FlowError(first)
        }
        host.onRendering = { [weak self] rendering in self?.noteRendering(rendering.value) }
        host.onOutput = { [weak self] output in self?.note(output: output) }
        return FlowTree(host: host, gate: WorkerGate(isOpen: true), props: props, step: step)
    }

    // MARK: Steps

    /// Does something to the tree and keeps what became of it.
    ///
    /// - Parameter title: The step in words.
    func step(
        _ title: String, _ body: (FlowTree) throws(FlowError) -> SendOutcome
    ) throws(FlowError) {
        try router.kept.checkRoom()
        steps.append(title + place)
        guard let tree else { return }
        failure = nil
        cause = nil
        try play { () throws(FlowError) in
            do throws(FlowError) {
                switch try body(tree) {
                case .applied, .queued: keep(tree)
                case .failed(let failed):
                    errors.append(unclaimed(failure ?? FlowError(failed)))
                    // What was applied stays so, even if it cannot be rendered.
                    if failed.phase == .render, !failed.refusesProps { keep(tree) }
                case .dropped:
                    throw FlowError(.unknownNode, "the node has gone from the tree")
                }
            } catch {
                log.add(.error(error))
                errors.append(unclaimed(error))
            }
        }
        followWorkers()
    }

    private func keep(_ tree: FlowTree) {
        followWorkers()
        tree.step += 1
        checkpoints.removeLast(checkpoints.count - tree.step)
        keep(checkpoint(of: tree))
    }

    private func keep(_ checkpoint: Checkpoint) {
        router.kept.add(checkpoint.tree.byteCount)
        checkpoints.append(checkpoint)
    }

    private func unclaimed<Content>(_ content: Content) -> Unclaimed<Content> {
        Unclaimed(content: content, location: stepLocation)
    }

    /// `   todo_test.lua:12`, for the list of steps.
    private var place: String { stepLocation.map { "   \($0.file):\($0.line)" } ?? "" }

    // MARK: What happens

    func note(_ action: AppliedAction) {
        log.add(.action(action.action, node: action.node, source: action.source))
        if cause == nil { cause = log.sequence }
    }

    func note(_ news: WorkerNews) {
        let phase: FlowEvent.WorkerPhase =
            switch news.content {
            case .output(let value): .output(value)
            case .finished: .finished
            case .failed(let error): .failed(error)
            }
        add(.worker(phase, worker: news.worker, key: news.key, node: news.node))
    }

    private func note(_ phase: WorkerPhase, at path: NodePath) {
        guard let worker = path.components.last else { return }
        let node = NodePath(Array(path.components.dropLast())).description
        switch phase {
        case .started: add(.worker(.started, worker: worker.name, key: worker.key, node: node))
        case .cancelled:
            add(.worker(.cancelled, worker: worker.name, key: worker.key, node: node))
        case .gaveOutput, .finished, .failed: break
        }
    }

    func noteRendering(_ value: Value) {
        pass += 1
        router.kept.add(value.byteCount)
        add(.rendering(value, actions: flow.actionTypes, pass: pass), cause: cause)
    }

    private func note(output: Value) {
        guard !isQuiet else { return }
        outputs.append(unclaimed(output))
        add(.output(output))
    }

    private func note(_ report: WorkflowReport) {
        guard case .failure(let failed) = report else { return }
        let error = FlowError(failed)
        failure = failure ?? error
        add(.error(error), cause: cause)
    }

    func add(_ event: FlowEvent.Kind, cause: Int? = nil) {
        if !isQuiet { log.add(event, cause: cause) }
    }
}

/// A list that closures share.
final class EventList {
    var all: [FlowEvent] = []
}
