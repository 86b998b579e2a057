/// A right to a kind of request.
public enum ServiceScope: String, Sendable, CaseIterable {
    /// To read and follow sessions.
    case read
    /// To send actions and props.
    case act
    /// To create sessions.
    case create
    /// To undo, redo, go to other steps and branch.
    case travel
    /// To delete sessions.
    case delete
    /// To list the sessions of everybody, and to see all their states, inputs and steps.
    case inspect
    /// To evaluate expressions over sessions.
    case evaluate
}
