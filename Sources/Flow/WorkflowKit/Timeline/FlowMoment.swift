import PlainValue

/// The rendering and the nodes of a session after a step.
struct FlowMoment: Sendable {
    let step: Int
    let rendering: Value
    let root: FlowNode
}

/// The transition from one step to the next.
struct FlowTransition: Sendable {
    let before: FlowMoment
    let after: FlowMoment
    let played: Rehearsal.Played
}
