/// An event that a run waits for: a line, the end of the input, a signal, the timeout.
enum RunInput: Sendable {
    case line(String)
    /// A line that is not valid UTF-8.
    case garbledLine
    case end
    case output
    /// A file of the flow was changed.
    case change
    /// No worker runs any more.
    case idle
    case signal(Int32)
    case timeout

    var isLine: Bool {
        switch self {
        case .line, .garbledLine: true
        default: false
        }
    }
}
