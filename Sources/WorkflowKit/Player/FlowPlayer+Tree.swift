import LuaVM
import PlainValue
import WorkerKit
import Workflow
package import WorkflowLua

extension FlowPlayer {
    /// What comes of inputs that are played back, of which nobody is told.
    struct Rehearsal {
        /// The actions that were applied, in order.
        var actions: [AppliedAction] = []
        /// What the root emitted.
        var outputs: [Value] = []
    }

    /// How many actions were applied by inputs that are played back now.
    package var rehearsedActionCount: Int { rehearsal?.actions.count ?? 0 }

    /// Does something of which nobody is told.
    ///
    /// - Returns: What came of it besides.
    @discardableResult
    func rehearse<Failure: Error>(
        _ body: () throws(Failure) -> Void
    ) throws(Failure) -> Rehearsal {
        let outer = rehearsal
        let (inputTime, principal) = (log.inputTime, log.principal)
        rehearsal = Rehearsal()
        defer {
            rehearsal = outer
            log.inputTime = inputTime
            log.principal = principal
        }
        try body()
        return rehearsal ?? Rehearsal()
    }

    /// A tree as a checkpoint has it, whose workers are held; nobody is told of its first rendering.
    ///
    /// - Parameter workflow: What is at the root, if it is not the flow.
    /// - Throws: Why it cannot be rendered, of which the log has told.
    func makeTree(
        of flow: LuaFlow, from checkpoint: Timeline.Checkpoint, workflow: LuaWorkflow? = nil
    ) throws(FlowError) -> FlowTree {
        reviveFlow()
        let flow = self.flow ?? flow
        flow.randomState = checkpoint.random
        let gate = WorkerGate(isOpen: workers == nil)
        gate.refusals = checkpoint.refusals
        workers?.current = gate
        workers?.again = checkpoint.refusals
        // A flow that begins anew does so for its creator. What a snapshot lacks is made for
        // nobody.
        let principal = log.principal
        log.principal = checkpoint.tree == nil ? header?.principal : nil
        defer {
            workers?.again = []
            log.principal = principal
        }
        let host = WorkflowHost(
            workflow: workflow ?? flow.workflow(props: checkpoint.props),
            restoring: checkpoint.tree,
            configuration: hostConfiguration, owner: owner)
        if let first = host.renderFailures.first {
            host.shutDown()
            throw FlowError(first)
        }
        host.onRendering = { [unowned self] rendering in rendered(rendering.value) }
        host.onOutput = { [unowned self] output in gave(output: output) }
        host.onProcessed = { [unowned self] outcome in inputEnded(outcome) }
        let tree = FlowTree(
            host: host, gate: gate, props: checkpoint.props, step: checkpoint.step,
            generation: flow.generation)
        tree.retire(checkpoint.ended)
        if options.isolation == .process {
            host.onWork = { [unowned self, unowned tree] in revive(tree) }
        }
        return tree
    }

    private var hostConfiguration: HostConfiguration {
        // A player that is being released tells nobody how its workers end.
        var configuration = HostConfiguration(
            maximumDepth: options.maximumDepth,
            onReport: { [weak self] report in self?.treeReported(report) })
        configuration.clock = options.clock
        configuration.workerExecutor = WorkerThreads.shared
        configuration.executor = options.executor
        configuration.drains = runsNews
        configuration.onWorkerEvent = { [weak self] event, node in
            self?.workerReported(event, at: node.path)
        }
        return configuration
    }

    /// The state of the flow at the step that a tree shows.
    func checkpoint(of tree: FlowTree, _ flow: LuaFlow) -> Timeline.Checkpoint {
        Timeline.Checkpoint(
            step: tree.step, tree: tree.host.makeSnapshot(),
            random: (tree === parked ? tree.random : nil) ?? flow.randomState,
            props: tree.props, ended: tree.endedWorkers, refusals: tree.gate.refusals)
    }

    /// The state of the flow at the step that is shown; `nil` after the end.
    package func checkpoint() -> Timeline.Checkpoint? {
        guard let flow, let tree else { return nil }
        return checkpoint(of: tree, flow)
    }

    /// Goes on from a checkpoint, of which nobody is told; its workers start anew.
    package func show(_ checkpoint: Timeline.Checkpoint) throws(FlowError) {
        guard let flow else { throw .closed }
        try rehearse { () throws(FlowError) in
            let next = try makeTree(of: flow, from: checkpoint)
            tree?.host.shutDown()
            tree = next
        }
    }

    /// Goes on from a checkpoint as a move to its step, of which the log is told.
    ///
    /// - Parameter count: The last step.
    package func move(
        to checkpoint: Timeline.Checkpoint, of count: Int
    ) throws(FlowError) {
        try show(checkpoint)
        log.add(.moved(step: checkpoint.step, of: count))
        cause = log.sequence
        rendered(rendering)
    }

    /// Makes a step of which nothing came.
    package func addEmptyStep() { tree?.step += 1 }

    /// Plays an input of the timeline again, of which nobody is told.
    ///
    /// - Returns: Why it failed, if it did.
    @discardableResult
    func playBack(_ input: FlowInput, in tree: FlowTree) -> FlowError? {
        guard let flow else { return nil }
        log.inputTime = input.milliseconds
        log.principal = input.principal
        workers?.again = input.refusals
        defer {
            workers?.again = []
            tree.step += 1
        }
        let outcome: SendOutcome?
        switch input.kind {
        case .action(let action, let path):
            do throws(FlowError) {
                outcome = try flow.send(action, to: path, in: tree.host)
            } catch {
                return error
            }
        case .worker(let news): outcome = flow.emit(news, in: tree.host)
        case .props(let props): outcome = tree.update(props: props, of: flow)
        }
        if case .failed(let failed)? = outcome { return FlowError(failed) }
        return nil
    }
}
