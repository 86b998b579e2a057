import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

extension TestedFlow {
    /// Shows the state one step back or forward.
    func move(by difference: Int) throws(FlowTestFailure) {
        let target = player.step + difference
        guard checkpoints.indices.contains(target) else {
            let reason: FlowError.Reason = difference < 0 ? .nothingToUndo : .nothingToRedo
            throw FlowTestFailure(reason.with(.expectation))
        }
        let checkpoint = checkpoints[target]
        assert(checkpoint.state.step == target)
        do throws(FlowError) {
            try router.kept.checkRoom()
            steps.append(difference < 0 ? "undo" : "redo")
            try play { () throws(FlowError) in
                try player.show(checkpoint.state, asMoveOf: checkpoints.count - 1)
            }
        } catch {
            throw FlowTestFailure(error)
        }
        timers = checkpoint.timers
        followWorkers()
    }

    var rendering: Value { player.rendering }

    func state(of path: String?) -> Value? {
        guard let path else { return player.state(of: nil) }
        return NodePath(path).flatMap { player.state(of: $0) }
    }
}
