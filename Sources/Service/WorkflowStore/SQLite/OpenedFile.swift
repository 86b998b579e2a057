import LibC

/// The identity of the files that a store was opened from.
struct OpenedFile: Sendable {
    private struct Identity: Sendable, Equatable {
        let device: dev_t
        let inode: ino_t
    }

    let path: String
    private var identities: [(path: String, identity: Identity)] = []

    init(path: String) throws(StoreError) {
        self.path = path
        try add(path)
    }

    /// Adds the files that SQLite has beside the store while it is open for writing. Without them,
    /// another process that opens the store would not find the last commits.
    mutating func addSiblings() throws(StoreError) {
        for suffix in ["-wal", "-shm"] { try add(path + suffix) }
    }

    private mutating func add(_ path: String) throws(StoreError) {
        identities.append((path, try Self.identity(of: path)))
    }

    /// Checks that the paths still lead to the opened files; throws `io` otherwise. SQLite keeps
    /// using removed or replaced files, whose contents are lost when it closes them.
    func checkPlace() throws(StoreError) {
        for (path, identity) in identities where try Self.identity(of: path) != identity {
            throw .replaced(path)
        }
    }

    private static func identity(of path: String) throws(StoreError) -> Identity {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .cannotOpen(path) }
        return Identity(device: status.st_dev, inode: status.st_ino)
    }
}
