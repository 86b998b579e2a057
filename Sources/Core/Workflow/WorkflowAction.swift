/// An event for a node, which changes the node's state and may emit an output.
///
/// ```swift
/// enum Action: WorkflowAction {
///     typealias WorkflowType = Profile
///     case loaded(String)
///
///     func apply(toState state: inout String?) -> Never? {
///         switch self {
///         case .loaded(let name): state = name
///         }
///         return nil
///     }
/// }
/// ```
///
/// An action is a value, usually a case of an enum. Implement one of the two forms of `apply`. The
/// one with a context can read the inputs of the node's workflow.
public protocol WorkflowAction<WorkflowType>: SendableMetatype {
    /// The workflow whose nodes this action applies to.
    associatedtype WorkflowType: Workflow

    /// The error that `apply` throws: `Never` or `any Error`. The compiler infers it.
    ///
    /// An action that cannot fail, and emits nothing or is one of the root, changes a state with a
    /// large collection in place. Others keep a copy of the state for the case that they fail, so
    /// the first change of a collection copies it.
    associatedtype Failure: Error = any Error

    /// Changes `state`. A result other than `nil` is emitted to the parent as an output.
    ///
    /// - Throws: Any error makes the action fail. A failed action is rolled back completely: every
    ///   node that it or its outputs changed gets its previous state back, no output leaves the
    ///   tree, and the failure is reported to the host. Most actions do not throw.
    func apply(toState state: inout WorkflowType.State) throws(Failure) -> WorkflowType.Output?

    /// Changes `state`, with access to the node's inputs through `context`. The default calls
    /// ``apply(toState:)``.
    ///
    /// - Throws: As ``apply(toState:)``.
    func apply(
        toState state: inout WorkflowType.State,
        context: ApplyContext<WorkflowType>
    ) throws(Failure) -> WorkflowType.Output?
}

extension WorkflowAction {
    /// Fails: an action must have one of the two forms of `apply`.
    ///
    /// - Throws: ``UnimplementedAction``; an action that cannot throw traps instead.
    public func apply(
        toState state: inout WorkflowType.State
    ) throws(Failure) -> WorkflowType.Output? {
        let error = UnimplementedAction(actionType: typeName(of: Self.self))
        guard let failure = error as? Failure else {
            // The action has the other form, which takes a context.
            preconditionFailure("\(error): call the one with a context")
        }
        throw failure
    }

    /// Calls ``apply(toState:)``.
    @inlinable
    public func apply(
        toState state: inout WorkflowType.State,
        context: ApplyContext<WorkflowType>
    ) throws(Failure) -> WorkflowType.Output? {
        try apply(toState: &state)
    }
}

/// The error of an action whose type implements neither form of `apply`.
public struct UnimplementedAction: Error, CustomStringConvertible {
    /// The name of the action's type.
    public let actionType: String

    /// A sentence that names the type and the method to write.
    public var description: String {
        "\(actionType) implements neither apply(toState:) nor apply(toState:context:)"
    }
}
