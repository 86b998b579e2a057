package import PlainValue
import Workflow
package import WorkflowLua

/// A flow as it was, for experiments of which nobody is told: trees are made from states of the timeline, or from such
/// as nobody has seen.
package struct PastFlow {
    package let player: FlowPlayer
    package let flow: LuaFlow
    /// The step from which is looked back.
    package let step: Int
    /// What is shown then.
    package let rendering: Value

    /// Does something with a tree that is made from a checkpoint; it is ended afterwards.
    package func with<T>(
        _ checkpoint: Timeline.Checkpoint, workflow: LuaWorkflow? = nil,
        _ body: (FlowTree) throws(FlowError) -> T
    ) throws(FlowError) -> T {
        let tree = try player.makeTree(of: flow, from: checkpoint, workflow: workflow)
        defer { tree.host.shutDown() }
        return try body(tree)
    }

    /// Plays the steps up to one, from the checkpoint before `first` on.
    ///
    /// - Parameter onStep: Called with the tree at the checkpoint and after each step.
    package func play(
        from first: Int, through last: Int, _ onStep: (FlowTree) throws(FlowError) -> Void
    ) throws(FlowError) {
        guard let checkpoint = player.timeline.checkpoint(before: first) else {
            throw FlowError(.misuse, "this session keeps no timeline")
        }
        try with(checkpoint) { tree throws(FlowError) in
            try onStep(tree)
            for input in player.timeline.inputs[checkpoint.step..<last] {
                if let failure = player.playBack(input, in: tree), failure.code == .interrupted {
                    throw failure
                }
                try onStep(tree)
            }
        }
    }

    /// The states after some steps, in order.
    package func checkpoints(at steps: [Int]) throws(FlowError) -> [Timeline.Checkpoint] {
        var made: [Timeline.Checkpoint] = []
        guard let first = steps.first, let last = steps.last else { return [] }
        try play(from: first, through: last) { tree in
            if steps.contains(tree.step) { made.append(player.checkpoint(of: tree, flow)) }
        }
        return made
    }
}

extension FlowPlayer {
    /// Looks into what was, from a step on, by default the one that is shown; that stays as it is, and nobody is told.
    package func lookBack<T>(
        from step: Int? = nil, _ body: (PastFlow) throws(FlowError) -> T
    ) throws(FlowError) -> T {
        guard options.keepsTimeline else {
            throw FlowError(.misuse, "this session keeps no timeline")
        }
        settle()
        let step = step ?? self.step
        let rendering = try rendering(at: step)
        guard let flow, tree != nil else { throw .closed }
        var result: T?
        try aside(flow) { () throws(FlowError) in
            result = try body(
                PastFlow(player: self, flow: flow, step: step, rendering: rendering))
        }
        guard let result else { throw .closed }
        return result
    }
}
