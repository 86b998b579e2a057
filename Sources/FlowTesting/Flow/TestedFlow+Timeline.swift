import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

extension TestedFlow {
    /// The state of a flow after a step.
    struct Checkpoint {
        let tree: TreeSnapshot
        let props: Value
        let random: RandomState
        /// Workers that stay declared and have come to their end.
        let ended: [Timeline.EndedWorker]
        let timers: [WorkerRun: VirtualTimer]
    }

    func checkpoint(of tree: FlowTree) -> Checkpoint {
        Checkpoint(
            tree: tree.host.makeSnapshot(), props: tree.props, random: flow.randomState,
            ended: tree.endedWorkers, timers: timers)
    }

    /// Shows the state one step back or forward.
    func move(by difference: Int) throws(FlowTestFailure) {
        guard let shown = tree else { return }
        let target = shown.step + difference
        guard checkpoints.indices.contains(target) else {
            throw FlowTestFailure(
                difference < 0
                    ? "there is nothing to undo: this is the beginning"
                    : "there is nothing to redo: this is the last step")
        }
        do throws(FlowError) { try router.kept.checkRoom() } catch { throw FlowTestFailure(error) }
        steps.append(difference < 0 ? "undo" : "redo")
        let checkpoint = checkpoints[target]
        flow.randomState = checkpoint.random
        isQuiet = true
        do throws(FlowError) {
            let tree = try play { () throws(FlowError) in
                try makeTree(props: checkpoint.props, restoring: checkpoint.tree, step: target)
            }
            tree.retire(checkpoint.ended)
            shown.host.shutDown()
            self.tree = tree
            isQuiet = false
        } catch {
            isQuiet = false
            throw FlowTestFailure(error)
        }
        timers = checkpoint.timers
        followWorkers()
        log.add(.moved(step: target, of: checkpoints.count - 1))
        cause = log.sequence
        noteRendering(rendering)
    }

    /// The last good rendering.
    var rendering: Value { tree?.host.rendering.value ?? .null }

    /// The state of the node at a path, by default of the root; `nil` if there is no such scripted node.
    func state(of path: String?) -> Value? {
        guard let path = path.map(NodePath.init) ?? NodePath([.init(name: flow.name)]) else {
            return nil
        }
        return tree?.host.state(of: LuaWorkflow.self, at: path)?.value
    }
}
