package import PlainValue
package import Workflow
package import WorkflowLua

/// The state of a flow at one step, from which a tree is made.
package struct FlowCheckpoint {
    package var step: Int
    /// The states of the nodes; `nil` for a flow that begins without a snapshot.
    package var tree: TreeSnapshot?
    package var random: RandomState
    package var props: Value
    /// The workers that are declared and have ended.
    package var ended: [WorkerRun]
    var refusals: [WorkerRefusal] = []
    /// True if a reload kept this state, so that the inputs before it may lead to another one.
    var isKept = false

    package var byteCount: Int { byteCount(since: nil) }

    /// The approximate number of bytes of the states, without those of an earlier checkpoint.
    func byteCount(since earlier: FlowCheckpoint?) -> Int {
        Self.ownByteCount + (tree?.root.byteCount(since: earlier?.tree?.root) ?? 0)
    }

    private static let ownByteCount = 1000
}
