import WorkerKit

/// The threads for functions of libraries, which may block. The host never waits for them.
enum LibraryThreads {
    /// The threads for `start`, which may last as long as the work.
    static let starts = WorkerThreads(limit: 4096)
    static let calls = WorkerThreads(limit: 256)
}
