import Synchronization
import Terminal

/// Remembers the first failure to write a run's output, so that the run ends.
final class OutputFailures: Sendable {
    private let first = Mutex<OutputFailure?>(nil)

    func record(_ failure: OutputFailure?) {
        guard let failure else { return }
        first.withLock { known in
            if known == nil { known = failure }
        }
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
