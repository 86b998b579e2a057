import LuaVM
import PlainValue
import WorkerKit
import Workflow
import WorkflowLua

extension FlowPlayer {
    /// Makes a tree from a checkpoint, with its workers held; throws the error of its first render.
    func makeTree(
        of flow: LuaFlow, from checkpoint: FlowCheckpoint, workflow: LuaWorkflow? = nil
    ) throws(FlowError) -> FlowTree {
        flow.randomState = checkpoint.random
        // Set before the first render, which declares the workers that the gate holds.
        let gate = WorkerGate(isOpen: workers.gated == nil)
        gate.refusals = checkpoint.refusals
        workers.gated?.current = gate
        workers.gated?.again = checkpoint.refusals
        defer { workers.gated?.again = [] }
        let host = WorkflowHost(
            workflow: workflow ?? flow.workflow(props: checkpoint.props),
            restoring: checkpoint.tree, options: hostOptions, owner: self.host.owner)
        // A tree whose first render failed has no rendering to fall back to.
        if let first = host.renderFailures.first {
            host.shutDown()
            throw FlowError(first)
        }
        host.onRendering = { [unowned self] rendering in listener.rendered(rendering.value) }
        host.onOutput = { [unowned self] output in listener.gave(output: output) }
        host.onProcessed = { [unowned self] outcome in listener.inputEnded(outcome) }
        let tree = FlowTree(
            host: host, gate: gate, props: checkpoint.props, step: checkpoint.step,
            generation: flow.generation)
        tree.retire(checkpoint.ended)
        if options.isolation == .process {
            host.onWork = { [unowned self, unowned tree] in revive(tree) }
        }
        return tree
    }

    private var hostOptions: HostOptions {
        // Holds the link and not the player: workers report their end while a player is released.
        var hostOptions = HostOptions(
            maximumDepth: options.maximumDepth,
            onReport: { [link] report in link.player?.listener.treeReported(report) })
        hostOptions.clock = options.clock
        hostOptions.workerExecutor = options.workerExecutor
        hostOptions.executor = options.executor
        hostOptions.drains = host.runsNews
        hostOptions.isPumped = host.owner == nil
        hostOptions.onWorkerEvent = { [link] event, node in
            link.player?.listener.workerReported(event, at: node.path)
        }
        return hostOptions
    }

    func checkpoint(of tree: FlowTree, _ flow: LuaFlow) -> FlowCheckpoint {
        FlowCheckpoint(
            step: tree.step, tree: tree.host.makeSnapshot(),
            random: randomState(of: tree, flow), props: tree.props, ended: tree.endedWorkers,
            refusals: tree.gate.refusals)
    }

    func randomState(of tree: FlowTree, _ flow: LuaFlow) -> RandomState {
        (tree === past.parked ? tree.random : nil) ?? flow.randomState
    }

    func checkpoint() -> FlowCheckpoint? {
        guard let flow, let tree else { return nil }
        return checkpoint(of: tree, flow)
    }

    func show(_ checkpoint: FlowCheckpoint, asMoveOf last: Int? = nil) throws(FlowError) {
        let next = try Rehearsal(of: self, from: checkpoint)
        if let tree { endSilently(tree) }
        tree = next.tree
        workers.gated?.current = next.tree.gate
        flow?.randomState = next.random
        guard let last else { return }
        log.add(.moved(step: checkpoint.step, of: last))
        processing.cause = log.sequence
        rendered(rendering)
    }
}
