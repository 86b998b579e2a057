package import PlainValue
package import Workflow
package import WorkflowLua

/// All that a tree is made from: the state of a flow at one step.
package struct FlowCheckpoint {
    package var step: Int
    /// The states of the nodes; `nil` for a flow that begins anew.
    package var tree: TreeSnapshot?
    package var random: RandomState
    package var props: Value
    /// Workers that stay declared and have come to their end.
    package var ended: [WorkerRun]
    /// The workers that are refused then.
    var refusals: [WorkerRefusal]
    /// Whether a reload kept this state, so that the inputs before it may lead elsewhere.
    var isKept = false

    init(
        step: Int, tree: TreeSnapshot?, random: RandomState, props: Value, ended: [WorkerRun],
        refusals: [WorkerRefusal] = []
    ) {
        self.step = step
        self.tree = tree
        self.random = random
        self.props = props
        self.ended = ended
        self.refusals = refusals
    }

    /// About how many bytes the states take.
    package var byteCount: Int { byteCount(since: nil) }

    /// About how many bytes the states take beside those that they share with an earlier
    /// checkpoint.
    func byteCount(since earlier: FlowCheckpoint?) -> Int {
        Self.ownByteCount + (tree?.root.byteCount(since: earlier?.tree?.root) ?? 0)
    }

    private static let ownByteCount = 1000
}
