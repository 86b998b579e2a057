public import PlainValue

/// What a change of a session has brought, told when the change is kept.
public struct SessionNews: Sendable {
    /// The session then, without outputs.
    public var moment: SessionMoment
    /// What the root of the flow emitted, step by step, of those steps that have emitted something.
    public var outputs: [StepOutputs]

    /// What one step has brought.
    public struct StepOutputs: Sendable {
        /// The step.
        public var step: Int
        /// What the root of the flow emitted, in order.
        public var outputs: [Value]

        /// Outputs from their parts.
        public init(step: Int, outputs: [Value]) {
            self.step = step
            self.outputs = outputs
        }
    }

    /// News from their parts.
    public init(moment: SessionMoment, outputs: [StepOutputs] = []) {
        self.moment = moment
        self.outputs = outputs
    }
}
