import PlainValue
import WorkflowLua

struct Stop {
    enum Reason {
        case breakpoint, functionBreakpoint
        case dataBreakpoint(before: Value?, now: Value?)
        case exception
        /// An error that the flow caught, with its message.
        case caught(String)
    }

    /// The place of a stop in its step, in the order of time.
    struct Place: Comparable {
        let index: Int
        /// True if functions have returned since the line, and the next line has not come.
        let isAfterReturn: Bool

        static func < (a: Place, b: Place) -> Bool {
            a.index == b.index ? !a.isAfterReturn && b.isAfterReturn : a.index < b.index
        }
    }

    /// The index of the line in its step.
    var index: Int
    var reason: Reason
    /// The breakpoints.
    var ids: [Int] = []
    var location: FlowError.Location
    /// The number of innermost functions at the line that have returned before the next line.
    var returned = 0
    var place: Place { Place(index: index, isAfterReturn: returned > 0) }
    /// The error of a condition that could not be evaluated, or of a test that fails there.
    var failure: FlowError?
}

struct BreakpointLog {
    let location: FlowError.Location
    /// The text, or the error of its evaluation.
    let text: Result<String, FlowError>
}
