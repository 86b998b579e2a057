/// A part of what can be done with the sessions of a service.
public enum ServiceScope: String, Sendable, CaseIterable {
    /// To look at sessions and to follow them.
    case read
    /// To send actions and props.
    case act
    /// To begin sessions.
    case create
    /// To undo, to go to other steps and to branch.
    case travel
    /// To delete sessions.
    case delete
    /// To see which sessions there are, whosoever they are, and all of each: its states, its inputs, its steps.
    case inspect
    /// To run expressions of one's own over what sessions show.
    case evaluate
}
