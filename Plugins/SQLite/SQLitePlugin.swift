public import WorkerKit

/// The plugin `sqlite`: reads and changes SQLite databases.
///
/// ```swift
/// options.plugins = try WorkerRegistry([SQLitePlugin.plugin])
/// options.grants = Grants([Grant("file", "notes.db")], folder: folder)
/// ```
///
/// A database is open while a run uses it. Runs of all sessions of the process share it.
public enum SQLitePlugin {
    /// `sqlite.query`, `sqlite.execute` and `sqlite.transaction`.
    public static let plugin = Plugin(
        "sqlite", version: "1.0.0",
        workers: [SQLiteQuery(), SQLiteExecute(), SQLiteTransaction()])
}
