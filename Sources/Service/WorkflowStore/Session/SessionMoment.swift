public import PlainValue
public import WorkflowLua

/// A session at a step, and the results of the request that led there.
public struct SessionMoment: Sendable {
    /// The step.
    public var step: Int
    /// The last step at that time.
    public var stepCount: Int
    /// The version of the session in its store.
    public var version: Int
    /// The screen, which tells it from other moments at the same step.
    public var screen: SessionScreen
    /// The rendering.
    public var rendering: Value
    /// The action types of the flow's root, sorted.
    public var actionTypes: [String]
    /// The outputs of the flow's root for the request, in order.
    public var outputs: [Value]
    /// The error of the last input, if its action was applied but could not be rendered.
    public var failure: FlowError?

    /// Makes a moment from its parts.
    ///
    /// - Parameters:
    ///   - step: The step that is shown; less than `stepCount` after an undo.
    ///   - stepCount: The number of inputs since the session's beginning.
    ///   - version: The version of the session in its store.
    ///   - screen: It differs between two moments at one step with different inputs or files.
    ///   - rendering: The root's rendering as a plain value.
    ///   - actionTypes: The `type`s of the actions that the root handles, sorted.
    ///   - outputs: The root's outputs for the request, in order.
    ///   - failure: The error of an action that was applied but could not be rendered.
    public init(
        step: Int, stepCount: Int, version: Int, screen: SessionScreen, rendering: Value,
        actionTypes: [String] = [], outputs: [Value] = [], failure: FlowError? = nil
    ) {
        self.step = step
        self.stepCount = stepCount
        self.version = version
        self.screen = screen
        self.rendering = rendering
        self.actionTypes = actionTypes
        self.outputs = outputs
        self.failure = failure
    }

    /// A text that only this moment of the session has, such as `41.97`: step and ``screen``.
    public var tag: String { "\(step).\(screen)" }
}
