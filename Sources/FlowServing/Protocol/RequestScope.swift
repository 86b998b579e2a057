import PlainValue
import WorkflowLua

/// What a request of the JSON protocol needs to be allowed.
public enum RequestScope: String, Sendable, CaseIterable {
    /// To look at what the session shows and has shown.
    case view
    /// To send actions and props.
    case act
    /// To go back, to go on from there, and to play a worker's part.
    case travel
    /// To run Lua that the client brings, and to load the flow's files again.
    case evaluate
}
