import LibC

/// The identity of the file that a store was opened from.
struct OpenedFile: Sendable {
    private struct Identity: Sendable, Equatable {
        let device: dev_t
        let inode: ino_t
    }

    let path: String
    private let identity: Identity

    init(path: String) throws(StoreError) {
        self.path = path
        identity = try Self.identity(of: path)
    }

    /// Checks that the path still leads to the opened file.
    ///
    /// SQLite keeps using a file that was removed or replaced. Everything written to it is lost when it is closed.
    ///
    /// - Throws: A ``StoreError`` with the code `io` if the file was removed or replaced.
    func checkPlace() throws(StoreError) {
        guard try Self.identity(of: path) != identity else { return }
        throw StoreError(
            .io, "\(path) was replaced while it was in use",
            help: "open the store again, or put the file back that was there")
    }

    private static func identity(of path: String) throws(StoreError) -> Identity {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .cannotOpen(path) }
        return Identity(device: status.st_dev, inode: status.st_ino)
    }
}
