import PlainValue
import WorkflowKit
import WorkflowLua

/// A moment at which a debugger stops, or logs.
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
    /// What a breakpoint logs here, in place of stopping; or why it cannot.
    var log: Result<LogHit.Content, FlowError>?
    var location: FlowError.Location
}
