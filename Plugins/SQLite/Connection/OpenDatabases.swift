import GRDB
import Synchronization

/// The open databases of this process: one connection for each path and kind of access, shared by
/// all runs, and closed after the last of them.
enum OpenDatabases {
    private final class Entry: Sendable {
        let file: DatabaseFile
        /// Nil until it is open.
        private let connection = Mutex<(any DatabaseWriter)?>(nil)

        init(_ file: DatabaseFile) { self.file = file }

        /// The connection, which the first caller opens.
        func open() throws -> any DatabaseWriter {
            try connection.withLock { connection in
                if let connection { return connection }
                let opened = try file.connect()
                connection = opened
                return opened
            }
        }

        func close() {
            // A connection that cannot be closed now is closed when it is released.
            try? connection.withLock { connection in
                defer { connection = nil }
                try connection?.close()
            }
        }
    }

    private struct Use {
        let entry: Entry
        var count = 0
    }

    private static let uses = Mutex<[DatabaseFile: Use]>([:])

    /// The paths of the databases that are open or being opened.
    static var paths: [String] { uses.withLock { $0.keys.map(\.path) }.sorted() }

    static func use<Result>(
        _ file: DatabaseFile, _ work: (any DatabaseWriter) throws -> Result
    ) throws -> Result {
        let entry = uses.withLock { uses in
            var use = uses[file] ?? Use(entry: Entry(file))
            use.count += 1
            uses[file] = use
            return use.entry
        }
        defer { leave(file) }
        return try work(try entry.open())
    }

    private static func leave(_ file: DatabaseFile) {
        let unused: Entry? = uses.withLock { uses in
            guard var use = uses[file] else { return nil }
            use.count -= 1
            uses[file] = use.count == 0 ? nil : use
            return use.count == 0 ? use.entry : nil
        }
        unused?.close()
    }
}
