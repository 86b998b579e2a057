import FlowPrinting
import Synchronization
import Terminal
import WorkflowLua

/// Remembers the first failure to write a run's output, which ends the run.
final class OutputFailures: Sendable {
    private let first = Mutex<OutputFailure?>(nil)
    private let isUnrecorded = Atomic(false)

    func record(_ failure: OutputFailure?) {
        guard let failure else { return }
        first.withLock { known in
            if known == nil { known = failure }
        }
    }

    /// Handles an error of the run. An error of the recording changes the exit status.
    func record(_ error: FlowError) {
        if error.code == .recording { isUnrecorded.store(true, ordering: .relaxed) }
    }

    /// The exit status of the run, given the status without failures.
    func status(_ status: ExitStatus) -> ExitStatus {
        status == .success && isUnrecorded.load(ordering: .relaxed) ? .io : status
    }

    /// The end of the run if its output cannot be written; `nil` while it can.
    var end: RunEnd? {
        switch first.withLock({ $0 }) {
        case .readerGone: .readerGone
        case .unwritable: .outputFailed
        case nil: nil
        }
    }

    /// The end of the run, after it. Reports the failure on standard error.
    var reportedEnd: RunEnd? {
        if let message = first.withLock({ $0?.message }) {
            OutputStream.standardError.write("error: \(message)\n")
        }
        return end
    }
}
