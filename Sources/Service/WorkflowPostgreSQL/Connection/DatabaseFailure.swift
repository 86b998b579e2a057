import WorkflowStore

/// An error that PostgreSQL or its library told.
struct DatabaseFailure: Error {
    /// The five characters of the SQLSTATE; empty if the connection failed.
    let state: String
    let message: String
    /// True if the connection is lost, so that the outcome of the statement is unknown.
    let isLost: Bool

    /// True if the same statement may succeed at once: a deadlock or a conflict of serialization.
    var isTransient: Bool { state == "40P01" || state == "40001" }

    /// True if the connection prepares no statement for us: a pooler gave it away meanwhile.
    var lacksStatement: Bool { state == "26000" || state == "42P05" }

    /// True if the server of the connection takes no changes any more.
    var isReadOnly: Bool { state == "25006" }
}

extension StoreError {
    /// Converts an error of the database.
    ///
    /// - Parameter database: The database, as it may be shown.
    init(_ error: any Error, of database: String) {
        if let own = error as? StoreError {
            self = own
            return
        }
        guard let failure = error as? DatabaseFailure else {
            self.init(.io, "\(database): \(error)")
            return
        }
        let reason = "\(database): \(failure.message)"
        switch failure.state {
        case "53100": self.init(.full, reason, help: "make room, and try again")
        case "53300", "55P03", "57014", "40001", "40P01":
            self.init(.busy, reason, help: "try again")
        case "22021", "22P05":
            self.init(
                .notStorable, "a text holds the character NUL, which PostgreSQL does not keep",
                help: "remove it")
        case "XX001", "XX002": self.init(.corrupted, reason, help: "restore it from a copy")
        case "42501":
            self.init(
                .io, reason, help: "grant the user CREATE on the database, or the schema workflow")
        default: self.init(.io, reason)
        }
    }
}
