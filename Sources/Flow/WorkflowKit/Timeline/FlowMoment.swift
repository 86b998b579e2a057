import PlainValue

/// The rendering and the nodes of a session after a step.
struct FlowMoment: Sendable {
    /// The number of the step; 0 is the beginning.
    let step: Int
    /// The rendering.
    let rendering: Value
    /// The tree.
    let root: FlowNode
}

/// The transition from one step to the next.
struct FlowTransition: Sendable {
    /// The step before.
    let before: FlowMoment
    /// The step.
    let after: FlowMoment
    /// The input that led to it, with its results.
    let played: Rehearsal.Played
}
