import PlainValue
import WorkflowLua

/// A moment at which a debugger stops.
struct Stop {
    /// The reason of a stop.
    enum Reason {
        case breakpoint, functionBreakpoint
        case dataBreakpoint(before: Value?, now: Value?)
        case exception
        /// An error that the flow caught, with its message.
        case caught(String)
    }

    /// The index of the line in its step.
    var index: Int
    var reason: Reason
    /// The breakpoints.
    var ids: [Int] = []
    var location: FlowError.Location
    /// The error of a condition that could not be evaluated.
    var failure: FlowError?
}

/// The output of a log point.
struct BreakpointLog {
    let location: FlowError.Location
    /// The text, or the error of its evaluation.
    let text: Result<String, FlowError>
}
