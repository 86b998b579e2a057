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

    init(host: WorkflowHost<LuaWorkflow>, gate: WorkerGate, props: Value, step: Int) {
        self.host = host
        self.gate = gate
        self.props = props
        self.step = step
    }

    /// Whether a worker is at work, or would be if it were not held.
    var hasRunningWorkers: Bool {
        host.workers(of: ScriptedWorker.self).contains { !$0.hasEnded }
    }

    /// The workers that stay declared and have come to their end.
    var endedWorkers: [Timeline.EndedWorker] {
        host.workers(of: ScriptedWorker.self).filter(\.hasEnded).map {
            Timeline.EndedWorker(path: $0.path, input: $0.worker.input)
        }
    }

    /// Notes that these workers came to their end before the tree was made.
    func retire(_ workers: [Timeline.EndedWorker]) {
        guard !workers.isEmpty else { return }
        let ended = Set(workers)
        for worker in host.workers(of: ScriptedWorker.self)
        where ended.contains(.init(path: worker.path, input: worker.worker.input)) {
            host.retireWorker(at: worker.path, of: ScriptedWorker.self)
        }
    }
}
