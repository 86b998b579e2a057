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
    /// - Parameter database: The database, as it may be shown.
    init(_ error: any Error, of database: String) {
        if let own = error as? StoreError {
            self = own
            return
        }
        guard let failure = error as? DatabaseFailure else {
            self = .fault(database, "\(error)")
            return
        }
        let reason =
            switch failure.state {
            case "53100": Self.full
            case "53300", "55P03", "57014", "40001", "40P01": Self.busy
            case "22021", "22P05": Self.holdsNUL
            case "XX001", "XX002": Self.corrupted
            case "42501": Self.notGranted
            default: Self.fault
            }
        self = reason(database, failure.message)
    }
}

// Causes of errors of a database.
extension StoreError {
    private static let fault = Reason(.io, "%0: %1")
    private static let full = Reason(.full, "%0: %1", help: "make room, and try again")
    private static let busy = Reason(.busy, "%0: %1", help: "try again")
    private static let corrupted = Reason(.corrupted, "%0: %1", help: "restore it from a copy")
    private static let notGranted = Reason(
        .io, "%0: %1", help: "grant the user CREATE on the database, or the schema workflow")
    private static let holdsNUL = Reason(
        .notStorable, "a text holds the character NUL, which PostgreSQL does not keep",
        help: "remove it")
    static let noLibrary = Reason(.io, "%0", help: "install libpq (Debian: apt install libpq5)")
    static let oldServer = Reason(.io, "%0 is older than PostgreSQL 12", help: "upgrade it")
    static let newer = Reason(
        .newer, "%0 was made by a newer version of this library",
        help: "use that version, or another database")
    static let noStore = Reason(.foreign, "%0 has no store", help: start)
    static let older = Reason(.foreign, "%0 was not upgraded to this version", help: start)
    private static let start = "start a service with it, which makes or upgrades it"
}
