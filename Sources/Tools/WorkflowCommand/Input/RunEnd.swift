import FlowPrinting

/// The reason for the end of a run. The raw value is the reason in the JSON protocol's `done`.
enum RunEnd: String {
    case finished, eof, quit, interrupted, terminated, timeout, error
    /// The output has no reader or cannot be written, so no `done` arrives either.
    case readerGone, outputFailed

    /// The end for a signal: SIGINT or SIGTERM.
    init(signal: Int32) { self = signal == 2 ? .interrupted : .terminated }

    init?(_ input: RunInput) {
        switch input {
        case .signal(let number): self.init(signal: number)
        case .timeout: self = .timeout
        default: return nil
        }
    }

    /// The exit status, if the end alone determines it.
    var status: ExitStatus {
        switch self {
        case .finished, .eof, .quit, .readerGone: .success
        case .interrupted: .interrupted
        case .terminated: .terminated
        case .timeout: .timedOut
        case .error: .flow
        case .outputFailed: .io
        }
    }
}
