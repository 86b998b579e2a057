import WorkerKit

/// The threads for the functions of libraries, which may block them. The host's own work never waits for one of them.
enum LibraryThreads {
    /// For `start`, which may last as long as the work.
    static let starts = WorkerThreads(limit: 4096)
    /// For the other functions.
    static let calls = WorkerThreads(limit: 256)
}
