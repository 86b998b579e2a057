import Foundation

/// A temporary folder, in `WORKFLOW_BENCH_FOLDER` if that is set. It is removed at the end.
struct BenchFolder {
    let path: String

    init() throws {
        let parent =
            ProcessInfo.processInfo.environment["WORKFLOW_BENCH_FOLDER"]
            ?? FileManager.default.temporaryDirectory.path
        path = "\(parent)/workflow-bench-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
