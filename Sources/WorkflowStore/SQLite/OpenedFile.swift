import LibC

/// The file that a store was opened from, as it is told from one that stands in its place later.
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

    /// Checks that the file still stands where it was opened.
    ///
    /// SQLite goes on with a file that was removed or replaced. What is written to it then is lost when it is closed.
    ///
    /// - Throws: A ``StoreError`` with the code `io` if it does not.
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
