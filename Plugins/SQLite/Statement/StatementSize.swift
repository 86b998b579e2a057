import GRDB
import WorkerKit

/// Refuses statements that SQLite would expand to very large ones.
///
/// SQLite compiles a view or a common table again wherever it is named. Twenty that each name the
/// one before twice are a million, and nothing can stop the compiler.
enum StatementSize {
    /// The most times that views and common tables may be named, counted with their expansions.
    private static let most = 1000

    /// - Throws: A ``WorkerError`` with the code `too_large`, or an error of SQLite.
    static func check(_ sql: String, in database: Database) throws {
        let schema = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('view', 'trigger')"))
        var graph = ExpansionGraph()
        var roots = [graph.add(sql)]
        for object in schema {
            let number = graph.add(object["sql"] ?? "")
            if object["type"] == "view" {
                graph.nameView(object["name"], number)
            } else {
                roots.append(number)
            }
        }
        guard graph.canExpand(roots, most: most) else {
            throw WorkerError(
                "too_large",
                "views and common tables are named more than \(most) times in the statement and "
                    + "in those that it names",
                help: "store rows that are needed often in a table")
        }
    }
}
