import GRDB
import LibC

/// The file of a store: detects, creates and upgrades it.
struct StoreFile {
    struct Opened {
        let pool: DatabasePool
        let file: OpenedFile
    }

    let path: String

    /// The application ID at byte 68 of the file: `WfSS`.
    static let applicationID: Int32 = 0x5766_5353

    func open(_ synchronization: SQLiteSessionStore.Synchronization) throws(StoreError)
        -> Opened
    {
        if try isMissing() { try make() }
        var file = try OpenedFile(path: path)
        do {
            try refuseNewer()
            let pool = try DatabasePool(path: path, configuration: Self.configuration)
            try Schema.migrator.migrate(pool)
            // The pool uses NORMAL by default.
            try pool.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = \(synchronization.rawValue)")
            }
            try file.addSiblings()
            try file.checkPlace()
            return Opened(pool: pool, file: file)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    func openForReading() throws(StoreError) -> Opened {
        if try isMissing() { throw .noFile(path) }
        let file = try OpenedFile(path: path)
        do {
            try refuseNewer()
            var configuration = Self.configuration
            configuration.readonly = true
            let pool = try DatabasePool(path: path, configuration: configuration)
            guard try pool.read(Schema.migrator.hasCompletedMigrations) else {
                throw StoreError.older(path)
            }
            try file.checkPlace()
            return Opened(pool: pool, file: file)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    static var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.label = "WorkflowStore"
        return configuration
    }

    /// Throws for a file that is not a store. Only its bytes are read: SQLite would create files
    /// beside it.
    private func isMissing() throws(StoreError) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return true }
            throw .cannotOpen(path)
        }
        let file = LibC.open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .cannotOpen(path) }
        defer { close(file) }
        var header = [UInt8](repeating: 0, count: 100)
        let count = pread(file, &header, 100, 0)
        if count < 0 { throw .cannotOpen(path) }
        let id = header[68..<72].reduce(Int32(0)) { $0 << 8 | Int32($1) }
        guard count == 100, header.starts(with: Array("SQLite format 3\0".utf8)),
            id == Self.applicationID
        else { throw .noStore(path) }
        return false
    }

    /// Creates the file under another name first, so that it appears complete.
    private func make() throws(StoreError) {
        let draft = draftPath
        defer { unlink(draft) }
        do {
            var configuration = Self.configuration
            configuration.prepareDatabase { db in
                // Nobody knows the draft yet. It is synced as a whole.
                try db.execute(
                    sql: """
                        PRAGMA journal_mode = MEMORY;
                        PRAGMA synchronous = OFF;
                        PRAGMA auto_vacuum = INCREMENTAL;
                        """)
            }
            let queue = try DatabaseQueue(path: draft, configuration: configuration)
            try queue.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA application_id = \(Self.applicationID)")
            }
            try Schema.migrator.migrate(queue)
            // Before others can open the file, because this needs exclusive access.
            try queue.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA journal_mode = WAL")
            }
            try queue.close()
        } catch {
            throw StoreError(error, path: path)
        }
        try publish(draft, isShared: true)
    }

    /// Copies an open store to this file, which must not exist. Others may use the store meanwhile.
    func copy(of pool: DatabasePool) throws(StoreError) {
        var status = stat()
        guard lstat(path, &status) != 0 else { throw .isThere(path) }
        let draft = draftPath
        defer { unlink(draft) }
        do { try pool.vacuum(into: draft) } catch { throw StoreError(error, path: path) }
        try publish(draft, isShared: false)
    }

    private var draftPath: String {
        "\(path).new-\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
    }

    /// Syncs a complete draft and gives it the file's name.
    ///
    /// - Parameter isShared: True if another process may have created the file meanwhile.
    private func publish(_ draft: String, isShared: Bool) throws(StoreError) {
        guard sync(draft) else { throw .cannotOpen(path) }
        if link(draft, path) != 0 {
            if errno == EEXIST {
                guard isShared else { throw .isThere(path) }
            } else {
                // A file system without links.
                guard rename(draft, path) == 0 else { throw .cannotOpen(path) }
            }
        }
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/")
        // So that the file's name is on the disk.
        _ = sync(folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder)
    }

    private func sync(_ path: String) -> Bool {
        let file = LibC.open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        return fsync(file) == 0
    }

    private func refuseNewer() throws {
        var configuration = Self.configuration
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        // A queue that has only read loses nothing if it cannot be closed.
        defer { try? queue.close() }
        if try queue.read(Schema.migrator.hasBeenSuperseded) { throw StoreError.newer(path) }
    }
}
