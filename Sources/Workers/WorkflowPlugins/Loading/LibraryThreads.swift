import WorkerKit

/// The threads for functions of libraries, which may block. The host never waits for them.
enum LibraryThreads {
    /// The threads for `start`, which may last as long as the work.
    static let starts = WorkerThreads(limit: 4096)
    /// The threads for the other functions.
    static let calls = WorkerThreads(limit: 256)
}
