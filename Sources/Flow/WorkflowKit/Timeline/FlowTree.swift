import PlainValue
import Workflow
import WorkflowLua

/// A tree of a session's flow, with the gate of its workers and its place in the timeline.
final class FlowTree {
    let host: WorkflowHost<LuaWorkflow>
    let gate: WorkerGate
    var props: Value
    var step: Int
    /// The state of the random numbers while another tree is shown.
    var random: RandomState?
    /// The state at its step, if the current code continued there from earlier code.
    var entry: FlowCheckpoint?
    /// The states of a root, and their description.
    typealias Described = (states: TreeSnapshot.Node, nodes: FlowNode)
    /// The last description. The next one reuses the parts that have not changed.
    var described: Described?
    /// The script process whose definitions its nodes have; see `LuaFlow.generation`.
    var generation: UInt32

    init(
        host: WorkflowHost<LuaWorkflow>, gate: WorkerGate, props: Value, step: Int,
        generation: UInt32 = 0
    ) {
        self.host = host
        self.generation = generation
        self.gate = gate
        self.props = props
        self.step = step
    }

    /// Gives the root new props; if its `changed` fails, it keeps the old ones.
    func update(props: Value, of flow: LuaFlow) -> SendOutcome {
        let before = self.props
        self.props = props
        let outcome = host.update(workflow: flow.workflow(props: props))
        if host.renderFailures.contains(where: \.refusesProps) { self.props = before }
        return outcome
    }

    /// Reuses the tree for a checkpoint, as if made from it. After `false` it is of no more use.
    func goOn(from checkpoint: FlowCheckpoint, of flow: LuaFlow) -> Bool {
        guard let states = checkpoint.tree, checkpoint.ended.isEmpty else { return false }
        host.notedRenders = nil
        flow.randomState = checkpoint.random
        props = checkpoint.props
        step = checkpoint.step
        return host.goOn(from: states, workflow: flow.workflow(props: props))
    }

    /// True if the last pass succeeded, so that the tree can be made again from its states alone.
    /// After a failed pass, a node may have other props than its parent gives it.
    var isWhole: Bool { host.renderFailures.isEmpty }

    /// True if a worker is running, or held.
    var hasRunningWorkers: Bool {
        host.workers(of: ScriptedWorker.self).contains { !$0.hasEnded }
    }

    var endedWorkers: [WorkerRun] {
        host.workers(of: ScriptedWorker.self).filter(\.hasEnded).map {
            WorkerRun(path: $0.path, input: $0.worker.input)
        }
    }

    /// Marks workers as ended that ended before the tree was made.
    func retire(_ workers: [WorkerRun]) {
        guard !workers.isEmpty else { return }
        let ended = Set(workers)
        for worker in host.workers(of: ScriptedWorker.self)
        where ended.contains(.init(path: worker.path, input: worker.worker.input)) {
            host.retireWorker(at: worker.path, of: ScriptedWorker.self)
        }
    }
}

extension WorkflowFailure {
    /// True if the root's `changed` failed, so that it keeps its old props.
    /// A `changed` of another node belongs to the render of props that were accepted.
    var refusesProps: Bool {
        path.components.count == 1 && (error as? FlowError)?.phase == .changed
    }
}
