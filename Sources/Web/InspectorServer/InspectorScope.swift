/// A right of a page.
public enum InspectorScope: String, Sendable, CaseIterable {
    /// To see all of the session.
    case view
    /// To send actions and props, and to interrupt.
    case act
    /// To go to other steps, to drop steps, and to act for workers.
    case travel
    /// To evaluate expressions, to log lines, and to reload the flow.
    case evaluate
}
