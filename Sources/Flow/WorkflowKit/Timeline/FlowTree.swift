import PlainValue
import Workflow
import WorkflowLua

/// A tree that plays a session's flow, the gate of its workers, and where it stands in the timeline.
final class FlowTree {
    let host: WorkflowHost<LuaWorkflow>
    let gate: WorkerGate
    var props: Value
    var step: Int
    /// How far random numbers had been drawn when another tree was shown.
    var random: RandomState?
    /// The state at its step, if the code of now went on there from a step that other code played.
    var entry: FlowCheckpoint?
    /// A root with its states, and what it was described as.
    typealias Described = (states: TreeSnapshot.Node, nodes: FlowNode)
    /// The last description, of which the next one takes what has not changed.
    var described: Described?
    /// The process of the scripts whose definitions its nodes have; see `LuaFlow.generation`.
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

    /// Gives the root new props, unless its `changed` fails: then it has its old ones.
    func update(props: Value, of flow: LuaFlow) -> SendOutcome {
        let before = self.props
        self.props = props
        let outcome = host.update(workflow: flow.workflow(props: props))
        if host.renderFailures.contains(where: \.refusesProps) { self.props = before }
        return outcome
    }

    /// Goes on from a checkpoint as a tree made from it would; if that is not possible the tree is of no more use.
    func goOn(from checkpoint: FlowCheckpoint, of flow: LuaFlow) -> Bool {
        guard let states = checkpoint.tree, checkpoint.ended.isEmpty else { return false }
        host.notedRenders = nil
        flow.randomState = checkpoint.random
        props = checkpoint.props
        step = checkpoint.step
        return host.goOn(from: states, workflow: flow.workflow(props: props))
    }

    /// Whether the last pass was good, so that nodes made from their states alone would be as these are.
    ///
    /// After a pass that failed a node may have other props than its parent gives it.
    var isWhole: Bool { host.renderFailures.isEmpty }

    /// Whether a worker is at work, or would be if it were not held.
    var hasRunningWorkers: Bool {
        host.workers(of: ScriptedWorker.self).contains { !$0.hasEnded }
    }

    /// The workers that stay declared and have come to their end.
    var endedWorkers: [WorkerRun] {
        host.workers(of: ScriptedWorker.self).filter(\.hasEnded).map {
            WorkerRun(path: $0.path, input: $0.worker.input)
        }
    }

    /// Notes that these workers came to their end before the tree was made.
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
    /// Whether the root's `changed` failed, so that new props of the session were not taken.
    ///
    /// That of another node is part of rendering what was taken.
    var refusesProps: Bool {
        path.components.count == 1 && (error as? FlowError)?.phase == .changed
    }
}
