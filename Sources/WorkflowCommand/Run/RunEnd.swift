import WorkflowLua

/// Why a run is over; the raw value is the reason in the JSON protocol's `done`.
enum RunEnd: String {
    case finished, eof, quit, interrupted, terminated, timeout, error

    /// The end that a signal asks for: SIGINT, otherwise SIGTERM.
    init(signal: Int32) { self = signal == 2 ? .interrupted : .terminated }

    /// The exit status, where the end alone decides it.
    var status: ExitStatus {
        switch self {
        case .finished, .eof, .quit: .success
        case .interrupted: .interrupted
        case .terminated: .terminated
        case .timeout: .timedOut
        case .error: .flow
        }
    }
}
