import WorkflowPostgreSQL
import WorkflowStore

/// The store that a place names: a PostgreSQL database by its URI, or an SQLite file by its path.
enum ServedStore {
    static func open(
        _ place: String, onCommit: @escaping @Sendable (Int) -> Void
    ) async throws(StoreError) -> any SharedSessionStore {
        ServiceOptions.isDatabase(place)
            ? try await PostgreSQLSessionStore(place, onCommit: onCommit)
            : try SQLiteSessionStore(path: place, onCommit: onCommit)
    }

    static func openForReading(_ place: String) async throws(StoreError) -> any SessionStore {
        ServiceOptions.isDatabase(place)
            ? try await PostgreSQLSessionStore(reading: place)
            : try SQLiteSessionStore(reading: place)
    }
}

extension ServiceOptions {
    /// True if a store is a database, not a file.
    package static func isDatabase(_ store: String) -> Bool {
        store.hasPrefix("postgres://") || store.hasPrefix("postgresql://")
    }
}
