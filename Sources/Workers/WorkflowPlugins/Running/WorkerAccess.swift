public import WorkerKit

/// A decision about an access of a worker.
///
/// It is made for each need of a run when a flow declares the worker, and again when a running
/// worker requests access, for example to the host of a redirect.
public struct WorkerAccess: Sendable, Hashable {
    /// The name of the worker.
    public let worker: String
    /// The access. A file has its absolute path without links.
    public let access: Access
    /// True if it was granted.
    public let isGranted: Bool

    init(_ worker: String, _ access: Access, isGranted: Bool) {
        self.worker = worker
        self.access = access
        self.isGranted = isGranted
    }
}
