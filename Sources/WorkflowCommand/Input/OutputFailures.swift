import FlowPrinting
import Synchronization
import Terminal
import WorkflowLua

/// Remembers the first failure to write a run's output, so that the run ends.
final class OutputFailures: Sendable {
    private let first = Mutex<OutputFailure?>(nil)
    private let isUnrecorded = Atomic(false)

    func record(_ failure: OutputFailure?) {
        guard let failure else { return }
        first.withLock { known in
            if known == nil { known = failure }
        }
    }

    /// Takes note of an error of the run: one of a recording says that it could not be written on.
    func record(_ error: FlowError) {
        if error.code == .recording { isUnrecorded.store(true, ordering: .relaxed) }
    }

    /// The exit status of a run that would have this one otherwise.
    func status(_ status: ExitStatus) -> ExitStatus {
        status == .success && isUnrecorded.load(ordering: .relaxed) ? .io : status
    }

    /// The end of a run whose output cannot be written; `nil` while it can.
    var end: RunEnd? {
        switch first.withLock({ $0 }) {
        case .readerGone: .readerGone
        case .unwritable: .outputFailed
        case nil: nil
        }
    }

    /// The end when the run is over, with a message on standard error if there is one.
    var reportedEnd: RunEnd? {
        if let message = first.withLock({ $0?.message }) {
            OutputStream.standardError.write("error: \(message)\n")
        }
        return end
    }
}
