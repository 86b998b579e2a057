/// An action of any type for one kind of workflow, from another action, a closure or an output.
///
/// ```swift
/// flow.workflow().mapRendering(\.value).rendered(in: context) {
///     AnyWorkflowAction<Bridge>(sendingOutput: $0)
/// }
/// ```
public struct AnyWorkflowAction<WorkflowType: Workflow>: WorkflowAction {
    /// The signature of `apply`, for actions made from a closure.
    public typealias Apply =
        (inout WorkflowType.State, ApplyContext<WorkflowType>) throws -> WorkflowType.Output?

    /// The action that was wrapped, or `nil` when this one was made from a closure or an output.
    public let base: (any WorkflowAction<WorkflowType>)?

    private let applyBody: Apply

    /// Wraps `base`; wrapping an `AnyWorkflowAction` again adds no layer.
    ///
    /// ```swift
    /// let action = AnyWorkflowAction(Search.Action.typed("ab"))  // its base: typed("ab")
    /// ```
    public init<Action: WorkflowAction>(_ base: Action) where Action.WorkflowType == WorkflowType {
        if let wrapped = base as? AnyWorkflowAction<WorkflowType> {
            self = wrapped
        } else {
            self.base = base
            applyBody = { state, context in try base.apply(toState: &state, context: context) }
        }
    }

    /// Makes an action that runs `apply`, which may read the node's inputs.
    ///
    /// ```swift
    /// let step = AnyWorkflowAction<Counter> { count, context in
    ///     count += context[workflowValue: \.step]
    ///     return nil
    /// }
    /// ```
    public init(_ apply: @escaping Apply) {
        base = nil
        applyBody = apply
    }

    /// Makes an action that runs `apply`.
    @_disfavoredOverload
    public init(
        _ apply: @escaping (inout WorkflowType.State) throws -> WorkflowType.Output?
    ) {
        self.init { state, _ in try apply(&state) }
    }

    /// Makes an action that emits `output` and leaves the state unchanged.
    ///
    /// ```swift
    /// let addFive = AnyWorkflowAction<AddButton>(sendingOutput: 5)
    /// ```
    public init(sendingOutput output: WorkflowType.Output) {
        self.init { _, _ in output }
    }

    /// An action that does nothing.
    public static var noAction: AnyWorkflowAction { AnyWorkflowAction { _, _ in nil } }

    /// Applies the wrapped action.
    public func apply(
        toState state: inout WorkflowType.State,
        context: ApplyContext<WorkflowType>
    ) throws -> WorkflowType.Output? {
        try applyBody(&state, context)
    }
}
