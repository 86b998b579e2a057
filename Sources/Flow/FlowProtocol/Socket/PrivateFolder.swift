import LibC
package import WorkflowLua

/// A new temporary folder that other users cannot open.
package final class PrivateFolder: Sendable {
    package let path: String

    package init() throws(FlowError) {
        var made: String?
        // The path of `TMPDIR` may be too long for a socket.
        for parent in [getenv("TMPDIR").map { String(cString: $0) }, "/tmp"] where made == nil {
            guard let parent, parent.utf8.count < SocketAddress.longestPath - 40 else { continue }
            var template = Array("\(parent)/workflow-XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { continue }
            made = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
        }
        guard let made else { throw FlowError(.noTemporaryFolder, SystemFailure()) }
        path = made
    }

    deinit { remove() }

    package func remove() {
        for name in (try? fileNames(in: path).get()) ?? [] { unlink("\(path)/\(name)") }
        rmdir(path)
    }
}

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
