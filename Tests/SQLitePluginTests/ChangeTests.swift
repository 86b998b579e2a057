import PlainValue
import PluginStage
import TestSupport
import Testing
import WorkerKit

@Suite struct ChangeTests {
    private let folder: Folder

    init() async throws {
        folder = try Folder()
        try await folder.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE)")
    }

    private func transaction(_ statements: Value) async throws -> Value {
        try await folder.run("sqlite.transaction", ["database": "a.db", "statements": statements])
    }

    @Test func aStatementTellsWhatItChanged() async throws {
        #expect(
            try await folder.execute("INSERT INTO t (a) VALUES (1), (2), (3)") == [
                "changes": 3, "last_id": 3,
            ])
        #expect(try await folder.execute("UPDATE t SET a = a + 10 WHERE a > 1") == ["changes": 2])
        #expect(try await folder.execute("CREATE INDEX i ON t (a)") == ["changes": 0])
        #expect(
            try await folder.execute("DELETE FROM t WHERE a = 1 RETURNING id") == [
                "changes": 1, "rows": [["id": 1]], "columns": ["id"],
            ])
    }

    @Test func aTransactionGivesAResultForEachStatement() async throws {
        let results = try await transaction([
            ["sql": "INSERT INTO t (a) VALUES (?)", "parameters": ["x"]],
            ["sql": "SELECT count(*) AS n FROM t"], ["sql": "DELETE FROM t"],
        ])
        #expect(
            results == [
                ["changes": 1, "last_id": 1], ["changes": 0, "rows": [["n": 1]], "columns": ["n"]],
                ["changes": 1],
            ])
    }

    @Test func aTransactionThatFailsChangesNothing() async throws {
        let error = await failure {
            try await transaction([
                ["sql": "INSERT INTO t (a) VALUES (1)"], ["sql": "INSERT INTO t (a) VALUES (1)"],
            ])
        }
        #expect(error == WorkerError("constraint", "statement 2: UNIQUE constraint failed: t.a"))
        #expect(try await folder.query("SELECT * FROM t")["rows"] == [])
    }

    @Test func aStatementThatRollsBackByItselfChangesNothingEither() async throws {
        let error = await failure {
            try await transaction([
                ["sql": "INSERT INTO t (a) VALUES (1)"],
                ["sql": "INSERT OR ROLLBACK INTO t (a) VALUES (1)"],
                ["sql": "INSERT INTO t (a) VALUES (2)"],
            ])
        }
        #expect(error == WorkerError("constraint", "statement 2: UNIQUE constraint failed: t.a"))
        #expect(try await folder.query("SELECT * FROM t")["rows"] == [])
    }

    @Test func aValueThatCannotBeStoredIsFoundBeforeAnythingIsDone() async throws {
        let error = await failure {
            try await transaction([
                ["sql": "INSERT INTO t (a) VALUES (1)"],
                ["sql": "INSERT INTO t (a) VALUES (?)", "parameters": [[2]]],
            ])
        }
        #expect(error?.message == "statement 2: a list at parameters[1] cannot be stored")
    }

    @Test func foreignKeysAreChecked() async throws {
        try await folder.execute("CREATE TABLE child (t REFERENCES t (id))")
        #expect(
            await failure { try await folder.execute("INSERT INTO child VALUES (7)") }
                == WorkerError("constraint", "FOREIGN KEY constraint failed"))
    }

    @Test(arguments: [
        ("SELEC 1", "near \"SELEC\": syntax error"),
        ("SELECT * FROM nowhere", "no such table: nowhere"),
        ("SELECT \"text\"", "no such column: text"),
    ]) func whatSQLiteSaysOfBadSQLArrives(sql: String, message: String) async throws {
        #expect(await failure { try await folder.query(sql) } == WorkerError("bad_sql", message))
    }

    @Test func oneStatementIsOne() async throws {
        #expect(
            await failure { try await folder.execute("DELETE FROM t; DROP TABLE t") }
                == WorkerError(
                    "bad_sql", "there is more than one statement", help: "take sqlite.transaction"))
        #expect(
            await failure { try await folder.execute("DELETE FROM t\0; nonsense") }
                == WorkerError("bad_input", "there is a NUL in the SQL"))
    }

    @Test func rowsAndBytesAreLimited() async throws {
        let many =
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
        #expect(
            await failure { try await folder.query(many) }
                == WorkerError(
                    "too_large", "there are more than 1000 rows",
                    help: "add a LIMIT to the SQL, or raise max_rows"))
        #expect(
            await failure {
                try await folder.query("SELECT zeroblob(600000) AS a, zeroblob(600000) AS b")
            }
                == WorkerError(
                    "too_large", "the rows have more than 1048576 bytes",
                    help: "select less, or raise max_bytes"))
        #expect(
            await failure {
                try await folder.run(
                    "sqlite.query", ["database": "a.db", "sql": "SELECT 1", "max_rows": 0])
            } == WorkerError("bad_input", "max_rows is 0", help: "it can be from 1 to 100000"))
        // The rows of all statements of a transaction count together.
        let error = await failure {
            try await folder.run(
                "sqlite.transaction",
                [
                    "database": "a.db", "max_rows": 1,
                    "statements": [["sql": "SELECT 1 AS a"], ["sql": "SELECT 1 AS a"]],
                ])
        }
        #expect(error?.message == "statement 2: there are more than 1 rows")
    }
}
