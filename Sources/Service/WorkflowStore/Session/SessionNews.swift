public import PlainValue

/// The results of a change of a session, reported when the change is stored.
public struct SessionNews: Sendable {
    /// The session after the change, without outputs.
    public var moment: SessionMoment
    /// True if the flow decides who may see it.
    package var asksForAccess = false
    /// The outputs of the flow's root, for each step that has any.
    public var outputs: [StepOutputs]

    /// The outputs of one step.
    public struct StepOutputs: Sendable {
        /// The step.
        public var step: Int
        /// The outputs of the flow's root, in order.
        public var outputs: [Value]

        /// Makes the outputs of a step.
        public init(step: Int, outputs: [Value]) {
            self.step = step
            self.outputs = outputs
        }
    }

    /// Makes news from their parts.
    public init(moment: SessionMoment, outputs: [StepOutputs] = []) {
        self.moment = moment
        self.outputs = outputs
    }
}
