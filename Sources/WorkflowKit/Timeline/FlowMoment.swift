package import PlainValue

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
struct FlowPassage: Sendable {
    /// The step before.
    let before: FlowMoment
    /// The step.
    let after: FlowMoment
    /// The input that led to it, with its results.
    let played: Rehearsal.Played
}
