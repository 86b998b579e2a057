import WorkflowPostgreSQL
import WorkflowStore

/// The store that a place names: a PostgreSQL database by its URI, or an SQLite file by its path.
enum ServedStore {
    static func open(
        _ place: String, onCommit: @escaping @Sendable (Int) -> Void
    ) async throws(StoreError) -> any SharedSessionStore {
        ServiceSettings.isDatabase(place)
            ? try await PostgreSQLSessionStore(place, onCommit: onCommit)
            : try SQLiteSessionStore(path: place, onCommit: onCommit)
    }

    static func openForReading(_ place: String) async throws(StoreError) -> any SessionStore {
        ServiceSettings.isDatabase(place)
            ? try await PostgreSQLSessionStore(reading: place)
            : try SQLiteSessionStore(reading: place)
    }
}

extension ServiceSettings {
    /// True if a store is a database, not a file.
    package static func isDatabase(_ store: String) -> Bool {
        store.hasPrefix("postgres://") || store.hasPrefix("postgresql://")
    }
}
