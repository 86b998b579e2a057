package import FlowPrinting
package import WorkflowLua

/// The reason why a run or session does not start, with an exit status.
package struct Refusal: Error {
    package let error: FlowError
    package let status: ExitStatus

    package init(_ error: FlowError, _ status: ExitStatus) {
        self.error = error
        self.status = status
    }

    /// Wraps an error. A `FlowError` gets the status of its code.
    package init(_ error: any Error) {
        switch error {
        case let refusal as Refusal: self = refusal
        case let error as FlowError: self.init(error, ExitStatus(error))
        default: self.init(FlowError(.host, "\(error)"), .software)
        }
    }
}
