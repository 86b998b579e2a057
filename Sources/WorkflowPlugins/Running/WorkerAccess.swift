public import WorkerKit

/// A decision whether a worker may reach something outside.
///
/// Made when a flow declares a worker, for what each of its runs needs, and again whenever a running
/// worker asks, such as for the host of a redirect.
public struct WorkerAccess: Sendable, Hashable {
    /// The name of the worker.
    public let worker: String
    /// What it asked for; of a file the absolute path without links.
    public let access: Access
    /// Whether it may.
    public let isGranted: Bool

    init(_ worker: String, _ access: Access, isGranted: Bool) {
        self.worker = worker
        self.access = access
        self.isGranted = isGranted
    }
}
