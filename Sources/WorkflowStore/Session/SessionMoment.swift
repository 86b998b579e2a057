public import PlainValue
public import WorkflowLua

/// What a session shows at a step, and what came of the request that led there.
public struct SessionMoment: Sendable {
    /// The step.
    public var step: Int
    /// The last step that there was then.
    public var stepCount: Int
    /// The version of the session in its store.
    public var version: Int
    /// The rendering.
    public var rendering: Value
    /// The types of action that the root of the flow knows, sorted.
    public var actionTypes: [String]
    /// What the root of the flow emitted for the request, in order.
    public var outputs: [Value]
    /// Why the last input failed, if it did: its action was applied, and could not be rendered.
    public var failure: FlowError?

    /// A moment from its parts.
    public init(
        step: Int, stepCount: Int, version: Int, rendering: Value, actionTypes: [String] = [],
        outputs: [Value] = [], failure: FlowError? = nil
    ) {
        self.step = step
        self.stepCount = stepCount
        self.version = version
        self.rendering = rendering
        self.actionTypes = actionTypes
        self.outputs = outputs
        self.failure = failure
    }
}
