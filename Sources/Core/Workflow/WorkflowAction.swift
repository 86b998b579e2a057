/// An event for a node, which changes the node's state and may emit an output.
///
/// ```swift
/// enum Action: WorkflowAction {
///     case loaded(String)
///
///     func apply(toState state: inout String?, context: ApplyContext<Profile>) -> Never? {
///         switch self {
///         case .loaded(let name): state = name
///         }
///         return nil
///     }
/// }
/// ```
///
/// An action is a value, usually a case of an enum.
public protocol WorkflowAction<WorkflowType>: SendableMetatype {
    /// The workflow whose nodes this action applies to. The compiler infers it from `apply`.
    associatedtype WorkflowType: Workflow

    /// The error that `apply` throws: `Never` or `any Error`. The compiler infers it.
    ///
    /// An action that cannot fail, and emits nothing or is one of the root, changes a state with a
    /// large collection in place. Others keep a copy of the state for the case that they fail, so
    /// the first change of a collection copies it.
    associatedtype Failure: Error = any Error

    /// Changes `state`. A result other than `nil` is emitted to the parent as an output.
    ///
    /// - Parameters:
    ///   - state: The state of the node, which the action changes in place.
    ///   - context: Reads the inputs of the node's workflow, as of its last render.
    /// - Throws: Any error makes the action fail. A failed action is rolled back completely: every
    ///   node that it or its outputs changed gets its previous state back, no output leaves the
    ///   tree, and the failure is reported to the host. Most actions do not throw.
    func apply(
        toState state: inout WorkflowType.State,
        context: ApplyContext<WorkflowType>
    ) throws(Failure) -> WorkflowType.Output?
}
