import FlowPrinting

/// The reason why a run is over; the raw value is the reason in the JSON protocol's `done`.
enum RunEnd: String {
    case finished, eof, quit, interrupted, terminated, timeout, error
    /// Nobody reads the output any more, or it cannot be written: no `done` will arrive either.
    case readerGone, outputFailed

    /// The end that a signal asks for: SIGINT, otherwise SIGTERM.
    init(signal: Int32) { self = signal == 2 ? .interrupted : .terminated }

    /// The end that an input asks for, if it asks for one.
    init?(_ input: RunInput) {
        switch input {
        case .signal(let number): self.init(signal: number)
        case .timeout: self = .timeout
        default: return nil
        }
    }

    /// The exit status, where the end alone decides it.
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
