/// A part of what can be done with a session by its page.
public enum InspectorScope: String, Sendable, CaseIterable {
    /// To look at all of it.
    case view
    /// To send actions and props, and to interrupt.
    case act
    /// To go to other steps, to give steps up, and to play the part of workers.
    case travel
    /// To evaluate expressions, to log lines, and to load the flow again.
    case evaluate
}
