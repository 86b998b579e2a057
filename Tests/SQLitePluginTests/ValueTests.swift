import PlainValue
import SQLitePlugin
import PluginStage
import TestSupport
import Testing
import WorkerKit

@Suite struct ValueTests {
    private let folder: Folder

    init() async throws {
        folder = try Folder()
        try await folder.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a, b)")
    }

    @Test func theWorkersTellTheirShapes() {
        #expect(
            SQLitePlugin.plugin.workers.map { "\($0.name) \($0.input) -> \($0.output)" } == [
                "sqlite.query { database: string, sql: string, parameters?: any, max_rows?: integer, "
                    + "max_bytes?: integer, timeout?: number } -> "
                    + "{ rows: table<string, any>[], columns: string[] }",
                "sqlite.execute { database: string, sql: string, parameters?: any, "
                    + "max_rows?: integer, max_bytes?: integer, timeout?: number } -> "
                    + "{ changes: integer, last_id?: integer, rows?: table<string, any>[], "
                    + "columns?: string[] }",
                "sqlite.transaction { database: string, "
                    + "statements: { sql: string, parameters?: any }[], max_rows?: integer, "
                    + "max_bytes?: integer, timeout?: number } -> "
                    + "{ changes: integer, last_id?: integer, rows?: table<string, any>[], "
                    + "columns?: string[] }[]",
            ])
    }

    @Test(
        arguments: [
            .int(0), .int(.max), .int(.min), .double(1), .double(-0.5), .string(""),
            .string("it's \"ü\"\n"), ["$blob": "AAH/"], ["$blob": ""],
        ] as [Value])
    func aValueComesBackAsItWas(value: Value) async throws {
        #expect(
            try await folder.execute("INSERT INTO t (a) VALUES (?)", [value]) == [
                "changes": 1, "last_id": 1,
            ])
        #expect(
            try await folder.query("SELECT a FROM t") == ["rows": [["a": value]], "columns": ["a"]])
    }

    @Test func aBooleanIsStoredAsANumberAndNullIsLeftOut() async throws {
        try await folder.execute("INSERT INTO t (a, b) VALUES (?, ?)", [true, .null])
        #expect(
            try await folder.query("SELECT a, b FROM t") == [
                "rows": [["a": 1]], "columns": ["a", "b"],
            ])
    }

    @Test func parametersAreBoundByName() async throws {
        try await folder.execute(
            "INSERT INTO t (a, b) VALUES (:name, @more)",
            ["name": "x'); DROP TABLE t; --", "more": 2])
        #expect(
            try await folder.query(
                "SELECT b FROM t WHERE a = $name",
                ["name": "x'); DROP TABLE t; --"])["rows"] == [["b": 2]])
    }

    @Test func parametersThatDoNotFitAreRefused() async throws {
        #expect(
            await failure { try await folder.query("SELECT ?", [1, 2]) }
                == WorkerError("bad_input", "wrong number of statement arguments: 2"))
        #expect(
            await failure { try await folder.query("SELECT :a, :b", ["a": 2]) }?.message
                == "missing statement argument: b")
        #expect(
            await failure { try await folder.query("SELECT ?", [[1]]) }
                == WorkerError(
                    "bad_input", "a list at parameters[1] cannot be stored",
                    help: "store it as text, or a blob as { [\"$blob\"] = base64 }"))
        #expect(
            await failure { try await folder.query("SELECT :a", ["a": ["$blob": "no base64"]]) }?
                .message == "a record at parameters.a cannot be stored")
        #expect(
            await failure { try await folder.query("SELECT 1", 5) }
                == WorkerError(
                    "bad_input", "expected a list or a record at parameters, found an integer"))
        #expect(
            await failure { try await folder.query("SELECT ?", ["a\0b"]) }
                == WorkerError(
                    "bad_input", "the text at parameters[1] has a NUL, where SQLite would end it",
                    help: "store it as a blob, { [\"$blob\"] = base64 }"))
        // A value stored by another program is read completely.
        #expect(
            try await folder.query("SELECT CAST(x'610062' AS TEXT) AS a")["rows"] == [
                ["a": "a\0b"]
            ])
    }

    @Test func bytesThatAreNotTextBecomeABlobAndAnInfiniteNumberIsRefused() async throws {
        #expect(
            try await folder.query("SELECT CAST(x'FF41' AS TEXT) AS a")["rows"] == [
                ["a": ["$blob": "/0E="]]
            ])
        #expect(
            await failure { try await folder.query("SELECT 9e999 AS a") }
                == WorkerError(
                    "bad_value", "a value of the column 'a' is infinite",
                    help: "select it as text, with CAST(a AS TEXT)"))
    }

    @Test func columnsOfOneNameAreRefused() async throws {
        #expect(
            await failure { try await folder.query("SELECT 1 AS a, 2 AS a") }
                == WorkerError(
                    "bad_sql", "two columns have the name 'a'",
                    help: "give one of them another name with AS"))
    }
}
