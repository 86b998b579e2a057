/// A right that a request of the JSON protocol needs.
public enum RequestScope: String, Sendable, CaseIterable {
    /// To see the session's current and past steps.
    case view
    /// To send actions and props.
    case act
    /// To move in the timeline and to act for a worker.
    case travel
    /// To run the client's Lua code, and to reload the flow's files.
    case evaluate
}
