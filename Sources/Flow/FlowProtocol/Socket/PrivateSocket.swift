package import WorkflowLua

/// A private path for a socket.
package final class PrivateSocket: Sendable {
    /// The path for the socket, which is not made here.
    package let path: String
    private let folder: PrivateFolder

    package init() throws(FlowError) {
        folder = try PrivateFolder()
        path = folder.path + "/session"
    }

    /// Removes the socket and those of its forks.
    package func remove() { folder.remove() }
}
