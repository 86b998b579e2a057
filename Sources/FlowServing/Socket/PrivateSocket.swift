package import WorkflowLua

/// A place for a socket that only this process tells others of.
package final class PrivateSocket: Sendable {
    /// The path for the socket, which is not made here.
    package let path: String
    private let folder: PrivateFolder

    /// - Throws: A `FlowError` if there can be no folder for it.
    package init() throws(FlowError) {
        folder = try PrivateFolder()
        path = folder.path + "/session"
    }

    /// Removes the socket, and those of forks beside it.
    package func remove() { folder.remove() }
}
