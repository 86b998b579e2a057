import PlainValue

/// What a session shows after a step, and what its nodes hold.
struct FlowMoment: Sendable {
    /// The number of the step; 0 is the beginning.
    let step: Int
    /// The rendering.
    let rendering: Value
    /// The tree.
    let root: FlowNode
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
