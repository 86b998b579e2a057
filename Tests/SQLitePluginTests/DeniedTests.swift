import Foundation
import GRDBSQLite
import PlainValue
import PluginStage
import TestSupport
import Testing
import WorkerKit

@testable import SQLitePlugin

/// SQL that is denied regardless of the grants.
@Suite struct DeniedTests {
    private let folder: Folder

    init() async throws {
        folder = try Folder()
        try await folder.execute("CREATE TABLE t (a)")
    }

    @Test(arguments: [
        ("ATTACH 'b.db' AS b", "ATTACH or VACUUM"), ("DETACH main", "DETACH"),
        ("BEGIN", "BEGIN; sqlite.transaction has one around it"),
        ("COMMIT", "COMMIT; sqlite.transaction has one around it"),
        ("ROLLBACK", "ROLLBACK; sqlite.transaction has one around it"),
        ("SAVEPOINT s", "SAVEPOINT; sqlite.transaction is all or nothing"),
        ("CREATE TEMP TABLE x (a)", "a temporary table, index, view or trigger"),
        ("CREATE VIRTUAL TABLE x USING csv(filename='/etc/passwd')", "the virtual table 'csv'"),
        ("SELECT load_extension('/tmp/x.so')", "the function load_extension"),
        ("SELECT json_patch('{}', '{}')", "the function json_patch"),
        ("PRAGMA database_list", "PRAGMA database_list"),
        ("PRAGMA temp_store_directory = '/tmp'", "PRAGMA temp_store_directory with a value"),
        ("PRAGMA writable_schema = ON", "PRAGMA writable_schema with a value"),
        ("PRAGMA journal_mode = OFF", "PRAGMA journal_mode with a value"),
        ("PRAGMA foreign_keys = OFF", "PRAGMA foreign_keys with a value"),
        ("PRAGMA query_only = OFF", "PRAGMA query_only with a value"),
        ("PRAGMA wal_checkpoint", "PRAGMA wal_checkpoint"),
        ("SELECT * FROM pragma_database_list", "PRAGMA database_list"),
    ]) func whatLeavesTheDatabaseIsDenied(sql: String, what: String) async throws {
        let error = WorkerError("denied", "a flow cannot use \(what)")
        #expect(await failure { try await folder.execute(sql) } == error)
        #expect(await failure { try await folder.query(sql) }?.message == error.message)
    }

    /// Tables that some builds of SQLite lack.
    @Test(arguments: ["sqlite_dbpage", "SQLITE_STMT", "bytecode", "tables_used"])
    func whatIsBelowTheTablesIsDenied(table: String) {
        #expect(
            StatementRules.refusal(of: SQLITE_READ, table, "data")
                == "the table \(table.lowercased())")
        #expect(StatementRules.refusal(of: SQLITE_READ, "t", "data") == nil)
    }

    @Test func vacuumReachesNoOtherFile() async throws {
        for sql in ["VACUUM", "VACUUM INTO '\(folder.path)/copy.db'"] {
            #expect(
                await failure { try await folder.execute(sql) }
                    == WorkerError("bad_sql", "cannot VACUUM from within a transaction"))
        }
        #expect(!folder.exists("copy.db"))
    }

    @Test func aDeniedStatementUndoesTheWholeTransaction() async throws {
        let error = await failure {
            try await folder.run(
                "sqlite.transaction",
                [
                    "database": "a.db",
                    "statements": [
                        ["sql": "INSERT INTO t VALUES (1)"], ["sql": "COMMIT"],
                        ["sql": "INSERT INTO t VALUES (2)"],
                    ],
                ])
        }
        #expect(
            error
                == WorkerError(
                    "denied",
                    "statement 2: a flow cannot use COMMIT; sqlite.transaction has one around it"))
        #expect(try await folder.query("SELECT * FROM t")["rows"] == [])
    }

    @Test func whatATriggerOfTheFileDoesIsDeniedToo() async throws {
        // Like a foreign database that a flow only opens.
        try await folder.execute("CREATE VIEW v AS SELECT load_extension('/tmp/x.so') AS a")
        #expect(
            await failure { try await folder.query("SELECT * FROM v") }?.message
                == "unsafe use of load_extension()")
    }

    @Test func whatLooksAtTheSchemaIsAllowed() async throws {
        #expect(try await folder.query("PRAGMA table_info(t)")["rows"]?[0]?["name"] == "a")
        #expect(try await folder.query("SELECT name FROM sqlite_schema")["rows"] == [["name": "t"]])
        try await folder.execute("PRAGMA user_version = 3")
        #expect(try await folder.query("PRAGMA user_version")["rows"] == [["user_version": 3]])
    }

    @Test func fullTextSearchWorks() async throws {
        try await folder.execute("CREATE VIRTUAL TABLE f USING fts5 (text)")
        try await folder.execute("INSERT INTO f VALUES (?), (?)", ["one thing", "another"])
        #expect(
            try await folder.query("SELECT text FROM f WHERE f MATCH 'thing'")["rows"] == [
                ["text": "one thing"]
            ])
        for call in ["highlight(f, 0, '<', '>')", "snippet(f, 0, '<', '>', '', 9)"] {
            let sql = "SELECT \(call) FROM f WHERE f MATCH 'thing'"
            #expect(await failure { try await folder.query(sql) }?.code == "denied")
        }
        try await folder.execute("DROP TABLE f")
    }
}
