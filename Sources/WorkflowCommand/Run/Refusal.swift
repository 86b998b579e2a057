import WorkflowLua

/// Why a run does not begin, and how the process ends then.
struct Refusal: Error {
    let error: FlowError
    let status: ExitStatus

    init(_ error: FlowError, _ status: ExitStatus) {
        self.error = error
        self.status = status
    }
}
