import GRDB
import WorkerKit

extension WorkerError {
    /// Converts an error of SQLite, with a code for flows.
    init(of error: DatabaseError) {
        let message = error.message ?? "SQLite gives no reason"
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init("busy", "the database is in use: \(message)", help: "try again later")
        case .SQLITE_CONSTRAINT: self.init("constraint", message)
        case .SQLITE_MISUSE where message.hasPrefix("Multiple statements"):
            self.init(
                "bad_sql", "there is more than one statement", help: "take sqlite.transaction")
        case .SQLITE_MISUSE: self.init("bad_input", message)
        case .SQLITE_READONLY: self.init("read_only", message)
        case .SQLITE_CANTOPEN: self.init("cannot_open", message)
        case .SQLITE_NOTADB: self.init("no_database", "the file is not an SQLite database")
        case .SQLITE_CORRUPT: self.init("corrupt", message)
        case .SQLITE_FULL: self.init("full", message)
        // The limit of a statement's instructions gives this too.
        case .SQLITE_NOMEM: self.init("too_large", "SQLite needs too much for this statement")
        case .SQLITE_TOOBIG: self.init("too_large", message)
        case .SQLITE_ERROR: self.init("bad_sql", message)
        default: self.init("failed", message)
        }
    }
}
