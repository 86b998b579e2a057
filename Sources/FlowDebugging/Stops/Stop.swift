import PlainValue
import WorkflowKit
import WorkflowLua

/// A moment at which a debugger stops.
struct Stop {
    /// Why.
    enum Reason {
        case breakpoint, functionBreakpoint
        case dataBreakpoint(before: Value?, now: Value?)
        case exception
        /// An error that the flow has caught, and what it says.
        case caught(String)
    }

    /// The place of the line among those of its step.
    var index: Int
    var reason: Reason
    /// The breakpoints.
    var ids: [Int] = []
    var location: FlowError.Location
    /// Why it is not known whether it was to stop.
    var failure: FlowError?
}

/// What a breakpoint logs in place of stopping.
struct BreakpointLog {
    let location: FlowError.Location
    /// The text, or why there is none.
    let text: Result<String, FlowError>
}
