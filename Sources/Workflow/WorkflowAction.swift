/// Something that happened to a node: it advances the node's state and may emit an output.
///
/// An action is a value, usually a case of an enum. Implement one of the two spellings of `apply`;
/// the one with a context can read the inputs of the node's workflow.
public protocol WorkflowAction<WorkflowType>: SendableMetatype {
    /// The workflow whose nodes this action applies to.
    associatedtype WorkflowType: Workflow

    /// Advances `state`; what it returns, if not `nil`, is emitted to the parent as an output.
    ///
    /// - Throws: Whatever makes the action fail. A failed action is rolled back whole: every node
    ///   that it, or an output it caused, has touched gets the state it had before, no output leaves
    ///   the tree, and the failure is reported to the host. Most actions do not throw.
    func apply(toState state: inout WorkflowType.State) throws -> WorkflowType.Output?

    /// Advances `state`, with access to the node's inputs through `context`.
    ///
    /// The default calls ``apply(toState:)``.
    func apply(
        toState state: inout WorkflowType.State,
        context: ApplyContext<WorkflowType>
    ) throws -> WorkflowType.Output?
}

extension WorkflowAction {
    /// Fails with ``UnimplementedAction``: an action implements one of the two spellings of `apply`.
    public func apply(toState state: inout WorkflowType.State) throws -> WorkflowType.Output? {
        throw UnimplementedAction(actionType: typeName(of: Self.self))
    }

    /// Calls ``apply(toState:)``.
    @inlinable
    public func apply(
        toState state: inout WorkflowType.State,
        context: ApplyContext<WorkflowType>
    ) throws -> WorkflowType.Output? {
        try apply(toState: &state)
    }
}

/// The failure of an action whose type implements neither spelling of `apply`.
public struct UnimplementedAction: Error, CustomStringConvertible {
    /// The name of the action's type.
    public let actionType: String

    /// A sentence that names the type and the method to write.
    public var description: String {
        "\(actionType) implements neither apply(toState:) nor apply(toState:context:)"
    }
}
