package import FlowPrinting
package import WorkflowLua

/// The reason why a run or a session does not begin, and the exit status.
package struct Refusal: Error {
    package let error: FlowError
    package let status: ExitStatus

    package init(_ error: FlowError, _ status: ExitStatus) {
        self.error = error
        self.status = status
    }
}
