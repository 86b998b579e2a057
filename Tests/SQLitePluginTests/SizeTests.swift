import GRDB
import PlainValue
import PluginStage
import TestSupport
import Testing
import WorkerKit

@testable import SQLitePlugin

/// Statements that SQLite would compile for too long.
@Suite struct SizeTests {
    private let folder: Folder

    init() async throws {
        folder = try Folder()
        try await folder.execute("CREATE TABLE t (a)")
    }

    private static let tooLarge = WorkerError(
        "too_large",
        "views and common tables are named more than 1000 times in the statement and in those "
            + "that it names", help: "store rows that are needed often in a table")

    /// Common tables of which each names the one before twice.
    private func common(
        _ count: Int, _ form: (_ name: String, _ before: String) -> String
    ) -> String {
        let tables = (1..<count).map { form("c\($0)", "c\($0 - 1)") }
        return "WITH c0 AS (SELECT 1 AS x), \(tables.joined(separator: ", ")) "
            + "SELECT count(*) AS n FROM c\(count - 1) LIMIT 0"
    }

    @Test func commonTablesThatGrowExponentiallyAreRefused() async throws {
        let forms: [(String, String) -> String] = [
            { "\($0) AS (SELECT a.x FROM \($1) a, \($1) b)" },
            { "\"\($0)\"AS NOT MATERIALIZED(SELECT a.x FROM[\($1)]a,'\($1)'b)" },
            {
                "`\($0)` (x) as materialized /* ) */ "
                    + "(SELECT a.x FROM \($1.uppercased()) a, \($1) b)"
            },
            // Columns with the names of tables make circles that are none.
            { "\($0) AS (SELECT a.x, 1 AS c29, 2 AS c0 FROM \($1) a, \($1) b)" },
            { "\($0)(x) AS --(\n (SELECT a.x FROM (SELECT * FROM \($1)) a JOIN \($1) b)" },
        ]
        for form in forms {
            for count in [12, 30, 90] {
                let sql = common(count, form)
                #expect(await failure { try await folder.query(sql) } == Self.tooLarge, "\(sql)")
            }
            #expect(try await folder.query(common(7, form))["rows"] == [])
        }
    }

    @Test func commonTablesInCommonTablesAreCounted() async throws {
        var sql = "SELECT 1 AS x"
        for _ in 0..<20 { sql = "WITH c AS (\(sql)) SELECT a.x FROM c a, c b" }
        // SQLite's parser does not nest this deep. It must not come to that.
        #expect(await failure { try await folder.query(sql) } == Self.tooLarge)
        sql =
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) "
            + "SELECT sum(i) AS s FROM n"
        #expect(try await folder.query(sql)["rows"] == [["s": 15]])
    }

    @Test func viewsAreCountedToo() async throws {
        // A foreign file may have them already.
        let file = try DatabaseQueue(path: folder.path + "/a.db")
        try await file.write { database in
            try database.execute(sql: "CREATE VIEW v0 AS SELECT 1 AS x")
            for number in 1...40 {
                try database.execute(
                    sql: """
                        CREATE VIEW v\(number) AS SELECT a.x FROM v\(number - 1) a, \
                        v\(number - 1) b
                        """)
            }
            try database.execute(
                sql: """
                    CREATE TRIGGER large AFTER DELETE ON t BEGIN INSERT INTO t SELECT x FROM v30; \
                    END
                    """)
        }
        try file.close()
        #expect(await failure { try await folder.query("SELECT * FROM V40") } == Self.tooLarge)
        #expect(await failure { try await folder.execute("DELETE FROM t") } == Self.tooLarge)
        try await folder.drop("TRIGGER large")
        #expect(try await folder.query("SELECT * FROM v3")["rows"] == [["x": 1]])
    }

    @Test func computedColumnsThatGrowExponentiallyAreRefused() async throws {
        let columns = (1...60).map { "g\($0) AS (g\($0 - 1) + g\($0 - 1))" }
        try await folder.execute("CREATE TABLE g (g0, \(columns.joined(separator: ", ")))")
        #expect(
            await failure { try await folder.query("SELECT g60 FROM g") }
                == WorkerError("too_large", "SQLite needs too much for this statement"))
        #expect(try await folder.query("SELECT g5 FROM g")["rows"] == [])
    }

    @Test func aStatementHasSoManyCalls() async throws {
        let calls = Array(repeating: "length('a')", count: 256).joined(separator: ", ")
        #expect(try await folder.query("SELECT 1 IN (\(calls)) AS a")["rows"] == [["a": 1]])
        #expect(
            await failure { try await folder.query("SELECT 1 IN (\(calls), length('b')) AS a") }
                == WorkerError(
                    "denied", "a flow cannot use more than 256 calls of functions in a statement"))
    }
}

extension Folder {
    fileprivate func drop(_ what: String) async throws {
        let file = try DatabaseQueue(path: path + "/a.db")
        try await file.write { try $0.execute(sql: "DROP \(what)") }
        try file.close()
    }
}
