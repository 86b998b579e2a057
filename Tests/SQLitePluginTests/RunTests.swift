import Foundation
import GRDB
import PlainValue
import PluginStage
import TestSupport
import Testing
import WorkerKit
import WorkflowPlugins

@testable import SQLitePlugin

private let endless =
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS c FROM n"

@Suite struct SummaryTests {
    @Test func workersAreSummedUp() {
        #expect(
            SQLitePlugin.plugin.workers.map { "\($0.name)  \($0.summary)" } == [
                "sqlite.query  Reads rows from a database.",
                "sqlite.execute  Changes a database by one statement.",
                "sqlite.transaction  Changes a database by several statements, all or none.",
            ])
    }
}

@Suite struct RunTests {
    private let folder: Folder

    init() async throws {
        folder = try Folder()
        try await folder.execute("CREATE TABLE t (a)")
    }

    private var isOpen: Bool { OpenDatabases.paths.contains(folder.path + "/a.db") }

    private func opened() async { while !isOpen { await Task.yield() } }

    @Test(arguments: ["sqlite.query", "sqlite.execute"])
    func aStatementThatNeverEndsIsInterrupted(worker: String) async throws {
        let stage = try Stage(SQLitePlugin.plugin, allowing: ["file"], in: folder.path)
        let outputs = try await stage.start(
            worker, ["database": "a.db", "sql": .string(endless), "timeout": 86_400])
        await opened()
        await stage.shutDown()
        #expect(await stage.session.end(within: .unreached) == [])
        for try await output in outputs { Issue.record("\(output) arrived") }
        // The thread of the statement is not waited for, but it ends.
        while isOpen { await Task.yield() }
    }

    @Test func anInterruptedTransactionChangesNothing() async throws {
        let gate = TestClock(.held)
        async let error = failure {
            try await folder.run(
                "sqlite.transaction",
                [
                    "database": "a.db", "timeout": 5,
                    "statements": [["sql": "INSERT INTO t VALUES (1)"], ["sql": .string(endless)]],
                ], clock: gate)
        }
        await opened()
        gate.open()
        #expect(
            await error
                == WorkerError(
                    "timed_out", "the SQL took more than 5 seconds", help: "raise timeout"))
        #expect(try await folder.query("SELECT * FROM t")["rows"] == [])
    }

    @Test func aSlowQueryHoldsUpNoOtherRun() async throws {
        let slow = try Stage(SQLitePlugin.plugin, allowing: ["file"], in: folder.path)
        let outputs = try await slow.start(
            "sqlite.query", ["database": "a.db", "sql": .string(endless), "timeout": 86_400])
        await opened()
        try await folder.execute("INSERT INTO t VALUES (1)")
        #expect(try await folder.query("SELECT a FROM t")["rows"] == [["a": 1]])
        await slow.shutDown()
        #expect(await slow.session.end(within: .unreached) == [])
        for try await _ in outputs {}
    }

    @Test func manyRunsShareADatabaseWhichIsClosedAfterwards() async throws {
        try await withThrowingTaskGroup { group in
            for number in 1...40 {
                group.addTask {
                    if number.isMultiple(of: 2) {
                        try await folder.execute("INSERT INTO t VALUES (?)", [.int(number)])
                    } else {
                        _ = try await folder.query("SELECT count(*) AS n FROM t")
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await folder.query("SELECT count(*) AS n FROM t")["rows"] == [["n": 20]])
        #expect(!isOpen)
        #if os(Linux)
            let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
                .compactMap {
                    try? FileManager.default.destinationOfSymbolicLink(
                        atPath: "/proc/self/fd/\($0)")
                }
            #expect(files.filter { $0.hasPrefix(folder.path) } == [])
        #endif
    }

    @Test func aDatabaseThatAnotherHasForItselfIsBusy() async throws {
        // Simulates another program; for SQLite any other connection is the same.
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: folder.path + "/a.db", configuration: configuration)
        try await other.writeWithoutTransaction { database in
            try database.execute(sql: "BEGIN EXCLUSIVE")
        }
        let error = await failure { try await folder.execute("DELETE FROM t") }
        #expect(
            error
                == WorkerError(
                    "busy", "the database is in use: database is locked", help: "try again later"))
        try await other.writeWithoutTransaction { database in try database.execute(sql: "ROLLBACK")
        }
        try other.close()
    }

    @Test func aLinkThatIsPutInPlaceAfterTheCheckIsNotFollowed() throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/late.db", withDestinationPath: folder.path + "/a.db")
        let file = DatabaseFile(path: folder.path + "/late.db", access: .read)
        #expect(throws: WorkerError("no_database", "'\(folder.path)/late.db' is not a file")) {
            _ = try file.connect()
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/there", withDestinationPath: folder.path)
        let inside = DatabaseFile(path: folder.path + "/there/a.db", access: .read)
        #expect(
            throws: WorkerError("cannot_open", "'\(folder.path)/there/a.db' was replaced by a link")
        ) { _ = try inside.connect() }
    }
}
