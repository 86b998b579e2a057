import CWorkflowPlugin
import Synchronization

/// The runs of all libraries, by the numbers that the libraries know them by.
///
/// A library never holds a pointer into the host: whatever it calls after a run is over finds
/// nothing here.
enum LoadedRuns {
    private struct Contents {
        var last: workflow_run = 0
        var runs: [workflow_run: LoadedRun] = [:]
    }

    private static let contents = Mutex(Contents())

    /// The run of a number, if it is not over.
    static subscript(id: workflow_run) -> LoadedRun? { contents.withLock { $0.runs[id] } }

    /// A number that no other run has or had.
    static func makeNumber() -> workflow_run {
        contents.withLock { contents in
            contents.last &+= 1
            return contents.last
        }
    }

    /// Makes a run known to its library.
    static func insert(_ run: LoadedRun) {
        contents.withLock { $0.runs[run.id] = run }
    }

    /// Forgets a run.
    static func remove(_ id: workflow_run) {
        // Released outside the lock, as more may go with it.
        let run = contents.withLock { $0.runs.removeValue(forKey: id) }
        withExtendedLifetime(run) {}
    }
}
