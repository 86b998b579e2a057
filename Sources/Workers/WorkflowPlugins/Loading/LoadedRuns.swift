import CWorkflowPlugin
import Synchronization

/// The runs of all libraries by number. A library holds no pointer into the host. Its calls after
/// the end of a run find nothing here.
enum LoadedRuns {
    private struct Contents {
        var last: workflow_run = 0
        var runs: [workflow_run: LoadedRun] = [:]
    }

    private static let contents = Mutex(Contents())

    static subscript(id: workflow_run) -> LoadedRun? { contents.withLock { $0.runs[id] } }

    static func makeNumber() -> workflow_run {
        contents.withLock { contents in
            contents.last &+= 1
            return contents.last
        }
    }

    static func insert(_ run: LoadedRun) {
        contents.withLock { $0.runs[run.id] = run }
    }

    static func remove(_ id: workflow_run) {
        // Released outside the lock, because more may be released with it.
        let run = contents.withLock { $0.runs.removeValue(forKey: id) }
        withExtendedLifetime(run) {}
    }
}
