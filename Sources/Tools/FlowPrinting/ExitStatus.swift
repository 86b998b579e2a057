package import WorkflowLua

/// The exit status of the process. The numbers are those of `sysexits.h` where it defines one.
package enum ExitStatus: Int32, Error {
    case success = 0
    /// A test failed, or a search found something.
    case failed = 1
    case usage = 64
    case flow = 65
    case noInput = 66
    case unavailable = 69
    case software = 70
    case io = 74
    case timedOut = 75
    case configuration = 78
    case interrupted = 130
    case terminated = 143

    package init(_ error: FlowError) {
        self =
            switch error.code {
            case .file: .noInput
            case .unknownWorker, .notGranted, .connection: .unavailable
            case .host: .software
            default: .flow
            }
    }
}
