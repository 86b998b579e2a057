/// An event that a run waits for: a line, the end of the input, a signal, the end of its time.
enum RunInput: Sendable {
    case line(String)
    /// A line that is no UTF-8 text.
    case garbledLine
    case end
    /// The flow gave an output.
    case output
    /// A file of the flow has changed.
    case change
    /// No worker is at work any more.
    case idle
    case signal(Int32)
    case timeout

    /// True if it is a line that was asked for.
    var isLine: Bool {
        switch self {
        case .line, .garbledLine: true
        default: false
        }
    }
}
