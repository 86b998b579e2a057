import Foundation
import GRDB
import WorkerKit

/// A database at a granted path, and what is done with it.
struct DatabaseFile: Hashable, Sendable {
    /// What a connection is for.
    enum Access: Hashable, Sendable {
        case read, write
    }

    /// The absolute path without links.
    let path: String
    let access: Access

    /// A database that was granted.
    ///
    /// - Parameter path: The path that the grant was checked for.
    init(path: String, access: Access) {
        self.path = path
        self.access = access
    }

    /// A database that is to be changed, and so can be read as well.
    ///
    /// - Throws: A ``WorkerError`` with the code `not_granted`.
    init(changing database: String, _ context: WorkerContext) throws(WorkerError) {
        try context.require(.fileRead(database))
        self.init(path: try context.require(.fileWrite(database)), access: .write)
    }

    /// Makes sure that there is a file to open, or may be.
    ///
    /// - Throws: A ``WorkerError`` with the code `no_database`.
    func check() throws(WorkerError) {
        let type =
            try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        switch type {
        // Opening a pipe, say, could wait for ever.
        case .some(let type) where type != .typeRegular:
            throw WorkerError("no_database", "'\(path)' is no file")
        case nil where access == .read:
            throw WorkerError(
                "no_database", "there is no database '\(path)'",
                help: "sqlite.execute makes one")
        default: break
        }
    }
}
