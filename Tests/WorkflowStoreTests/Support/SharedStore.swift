import GRDB
import TestSupport
import Testing

@testable import WorkflowPostgreSQL
@testable import WorkflowStore

enum SharedStoreKind: CaseIterable {
    case sqlite, memory, postgreSQL

    /// The available kinds; see Tests/postgres.
    static var allCases: [SharedStoreKind] {
        [.sqlite, .memory] + (PostgreSQLServer.address == nil ? [] : [.postgreSQL])
    }
}

/// One store for hosts. On any machine each is in time, unless a test sets when it was last seen.
struct SharedStore {
    struct Census: Equatable {
        var hosts: Int
        var epochs: [Int]
        var orphans: Int
    }

    private let kind: SharedStoreKind
    /// A file or the address of a database.
    private let place: String
    private let memory = MemorySessionStore()

    init(_ kind: SharedStoreKind, in folder: Folder) throws {
        self.kind = kind
        place =
            switch kind {
            case .sqlite: folder.path("sessions.sqlite")
            case .postgreSQL: try PostgreSQLServer.makeDatabase()
            case .memory: ""
            }
    }

    func host() async throws -> any SharedSessionStore {
        let store = try await open()
        _ = try await store.beat()
        return store
    }

    func open() async throws -> any SharedSessionStore {
        switch kind {
        case .sqlite:
            try SQLiteSessionStore(path: place, synchronization: .normal, patience: .seconds(3600))
        case .memory: MemorySessionStore(sharing: memory)
        case .postgreSQL: try await PostgreSQLSessionStore(place, patience: .seconds(3600))
        }
    }

    /// Makes a host look as if it had not beaten for long.
    func age(_ store: any SharedSessionStore) async throws {
        let number = try #require(
            (store as? SQLiteSessionStore)?.host.number ?? (store as? MemorySessionStore)?.number
                ?? (store as? PostgreSQLSessionStore)?.host.number)
        if kind == .memory { return memory.withState { $0.hosts[number]? -= 9_000_000 } }
        _ = try await rows(
            "UPDATE host SET seen = seen - 9000000 WHERE number = \(number) RETURNING number")
    }

    func census() async throws -> Census {
        if kind == .memory {
            return memory.withState { state in
                Census(
                    hosts: state.hosts.count, epochs: state.partitions.values.map(\.epoch),
                    orphans: state.orphanCount)
            }
        }
        return Census(
            hosts: try await rows("SELECT count(*) FROM host")[0][0],
            epochs: try await rows("SELECT epoch FROM partition").map { $0[0] },
            orphans: try await rows(
                "SELECT count(*) FROM session WHERE coalesce(partition, 0) = 0")[0][0])
    }

    private func rows(_ sql: String) async throws -> [[Int]] {
        switch kind {
        case .memory: return []
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
