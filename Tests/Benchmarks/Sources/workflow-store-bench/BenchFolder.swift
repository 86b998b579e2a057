import Foundation

/// A folder that is gone at the end: below `WORKFLOW_BENCH_FOLDER`, by default that of temporary files.
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
