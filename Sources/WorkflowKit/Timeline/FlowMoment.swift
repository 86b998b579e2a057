package import PlainValue
package import Workflow
package import WorkflowLua

/// What a session shows after a step, and what its nodes hold.
package struct FlowMoment: Sendable {
    /// The number of the step; 0 is the beginning.
    package let step: Int
    /// The rendering.
    package let rendering: Value
    /// The tree.
    package let root: FlowNode
}

/// How one step became the next.
package struct FlowPassage: Sendable {
    /// The step before.
    package let before: FlowMoment
    /// The step.
    package let after: FlowMoment
    /// What led to it.
    package let input: FlowInput
    /// The nodes that were rendered, in order, each with its reasons.
    package let rendered: [(node: NodePath, cause: RenderCause)]
    /// The actions that were applied, in order.
    package let actions: [AppliedAction]
    /// What the root emitted.
    package let outputs: [Value]
    /// Why it failed, if it did.
    package let failure: FlowError?
}
