import PlainValue
import Workflow
import WorkflowLua

/// Receives the reports of the tree and the scripts while inputs are played: a player those of live
/// inputs, a ``SilentListener`` those of replayed inputs, which it passes to nobody.
protocol FlowListener: AnyObject {
    /// The time of the input that is played, in milliseconds since 1970.
    var time: Int { get }
    var principal: String? { get }

    func printed(_ line: FlowLog)
    func actionBegan(_ action: AppliedAction)
    /// Called with the news of a worker, before an action is made from it.
    func workerReported(_ news: WorkerNews)
    /// Called when a worker is started or cancelled, or has ended.
    func workerReported(_ event: WorkerEvent<Void, any Error>, at path: NodePath)
    func rendered(_ value: Value)
    func gave(output: Value)
    /// Called when an input has been processed in full.
    func inputEnded(_ outcome: SendOutcome)
    /// Called with further reports of the tree.
    func treeReported(_ report: WorkflowReport)
}

/// Collects the results of a replayed input. It has no log.
final class SilentListener: FlowListener {
    var time: Int
    var principal: String?
    var actions: [AppliedAction] = []
    var outputs: [Value] = []

    init(time: Int, principal: String? = nil) {
        self.time = time
        self.principal = principal
    }

    func actionBegan(_ action: AppliedAction) { actions.append(action) }
    func gave(output: Value) { outputs.append(output) }

    func printed(_ line: FlowLog) {}
    func workerReported(_ news: WorkerNews) {}
    func workerReported(_ event: WorkerEvent<Void, any Error>, at path: NodePath) {}
    func rendered(_ value: Value) {}
    func inputEnded(_ outcome: SendOutcome) {}
    func treeReported(_ report: WorkflowReport) {}
}
