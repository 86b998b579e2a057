import Foundation
import GRDB
import WorkerKit

/// A database at a granted path, with a kind of access.
struct DatabaseFile: Hashable, Sendable {
    enum Access: Hashable, Sendable {
        case read, write
    }

    let path: String
    let access: Access

    /// Checks that there is a regular file, or that one may be created. Throws `no_database`.
    func check() throws(WorkerError) {
        let type =
            try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        switch type {
        // Opening a pipe, for example, could block for ever.
        case .some(let type) where type != .typeRegular:
            throw WorkerError("no_database", "'\(path)' is not a file")
        case nil where access == .read:
            throw WorkerError(
                "no_database", "there is no database '\(path)'",
                help: "sqlite.execute makes one")
        default: break
        }
    }
}

extension DatabaseFile {
    /// Such a database may also be read. Throws `not_granted`.
    init(changing database: String, _ context: WorkerContext) throws(WorkerError) {
        try context.require(.fileRead(database))
        self.init(path: try context.require(.fileWrite(database)), access: .write)
    }
}
