import GRDB
import TestSupport
import Testing

@testable import WorkflowPostgreSQL
@testable import WorkflowStore

/// The stores that several hosts use.
enum SharedStoreKind: CaseIterable {
    case sqlite, postgreSQL

    /// Those that can be had; see Scripts/postgres.
    static var allCases: [SharedStoreKind] {
        [.sqlite] + (PostgreSQLServer.address == nil ? [] : [.postgreSQL])
    }
}

/// One store for any number of hosts. However slow the machine is, each is in time, unless a test sets
/// when it was last seen.
struct SharedStore {
    private let kind: SharedStoreKind
    /// A file or the address of a database.
    private let place: String

    init(_ kind: SharedStoreKind, in folder: TemporaryFolder) throws {
        self.kind = kind
        place =
            switch kind {
            case .sqlite: folder.path("sessions.sqlite")
            case .postgreSQL: try PostgreSQLServer.makeDatabase()
            }
    }

    /// Opens the store, and beats once.
    func host() async throws -> any SharedSessionStore {
        let store = try await open()
        _ = try await store.beat()
        return store
    }

    /// Opens the store.
    func open() async throws -> any SharedSessionStore {
        switch kind {
        case .sqlite:
            try SQLiteSessionStore(
                path: place, synchronization: .normal, patience: .seconds(3600))
        case .postgreSQL: try await PostgreSQLSessionStore(place, patience: .seconds(3600))
        }
    }

    /// Makes a host look as if it had not beaten for long.
    func age(_ store: any SharedSessionStore) async throws {
        let number = try #require(
            (store as? SQLiteSessionStore)?.host.number
                ?? (store as? PostgreSQLSessionStore)?.host.number)
        _ = try await rows(
            "UPDATE host SET seen = seen - 9000000 WHERE number = \(number) RETURNING number")
    }

    /// The numbers that a statement gives.
    func rows(_ sql: String) async throws -> [[Int]] {
        switch kind {
        case .sqlite:
            return try await DatabaseQueue(path: place).write { db in
                try Row.fetchAll(db, sql: sql).map { row in
                    row.map { Int.fromDatabaseValue($0.1) ?? -1 }
                }
            }
        case .postgreSQL:
            let connection = try Connection(DatabaseAddress(text: place))
            try connection.execute("SET search_path = workflow")
            return try connection.execute(Statement("rows", sql)).all.map { row in
                [row.integer(0) ?? -1]
            }
        }
    }
}
