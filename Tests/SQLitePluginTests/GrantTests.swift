import Foundation
import PlainValue
import PluginStage
import TestSupport
import Testing
import WorkerKit

@Suite struct GrantTests {
    private let folder: Folder

    init() async throws {
        folder = try Folder()
        try await folder.execute("CREATE TABLE t (a)")
    }

    private func refusal(
        _ name: String, _ input: Value, allowing grants: String...
    ) async -> WorkerError? {
        await failure { try await folder.run(name, input, allowing: grants) }
    }

    @Test func withoutAGrantNothingIsReadOrMade() async throws {
        #expect(
            await refusal("sqlite.query", ["database": "a.db", "sql": "SELECT 1"])
                == WorkerError(
                    "not_granted",
                    "worker 'sqlite.query': file.read=\(folder.path)/a.db is not granted",
                    help: #"grant it with Grant("file.read", "\#(folder.path)/a.db")"#))
        _ = await refusal(
            "sqlite.execute", ["database": "new.db", "sql": "CREATE TABLE t (a)"],
            allowing: "file=a.db")
        #expect(!folder.exists("new.db"))
    }

    @Test func aGrantToReadDoesNotAllowChanges() async throws {
        let grant = "file.read=a.db"
        #expect(
            try await folder.run(
                "sqlite.query", ["database": "a.db", "sql": "SELECT count(*) AS n FROM t"],
                allowing: [grant])["rows"] == [["n": 0]])
        #expect(
            await refusal(
                "sqlite.query", ["database": "a.db", "sql": "DELETE FROM t"], allowing: grant)
                == WorkerError(
                    "read_only", "sqlite.query cannot change a database",
                    help: "take sqlite.execute"))
        #expect(
            await refusal(
                "sqlite.query", ["database": "a.db", "sql": "PRAGMA user_version = 3"],
                allowing: grant)?.code == "read_only")
        #expect(
            await refusal(
                "sqlite.execute", ["database": "a.db", "sql": "DELETE FROM t"], allowing: grant)?
                .message
                == "worker 'sqlite.execute': file.write=\(folder.path)/a.db is not granted")
        #expect(
            await refusal(
                "sqlite.transaction", ["database": "a.db", "statements": []],
                allowing: "file.write=a.db")?.code == "not_granted")
    }

    @Test func aLinkIsFollowedBeforeTheGrantIsChecked() async throws {
        let other = try Folder()
        try await other.execute("CREATE TABLE t (a)")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link.db", withDestinationPath: other.path + "/a.db")
        #expect(
            await refusal(
                "sqlite.query", ["database": "link.db", "sql": "SELECT 1"], allowing: "file=.")?
                .message == "worker 'sqlite.query': file.read=\(other.path)/a.db is not granted")
        #expect(
            try await folder.run(
                "sqlite.query", ["database": "link.db", "sql": "SELECT 1 AS a"],
                allowing: ["file.read=\(other.path)"])["rows"] == [["a": 1]])
    }

    @Test func aPathIsNeverReadAsAURLOrAsMemory() async throws {
        for name in [":memory:", "file:a.db?mode=memory"] {
            try await folder.run(
                "sqlite.execute", ["database": .string(name), "sql": "CREATE TABLE t (a)"])
            #expect(folder.exists(name))
        }
    }

    @Test func whatIsNoDatabaseIsRefused() async throws {
        #expect(
            await refusal(
                "sqlite.query", ["database": "none.db", "sql": "SELECT 1"], allowing: "file")
                == WorkerError(
                    "no_database", "there is no database '\(folder.path)/none.db'",
                    help: "sqlite.execute makes one"))
        #expect(!folder.exists("none.db"))
        #expect(
            await refusal("sqlite.query", ["database": ".", "sql": "SELECT 1"], allowing: "file")?
                .message == "'\(folder.path)' is not a file")
        let text = String(repeating: "no database at all ", count: 100)
        try Data(text.utf8).write(to: URL(filePath: folder.path + "/a.txt"))
        for worker in ["sqlite.query", "sqlite.execute"] {
            #expect(
                await refusal(worker, ["database": "a.txt", "sql": "SELECT 1"], allowing: "file")
                    == WorkerError("no_database", "the file is not an SQLite database"))
        }
        #expect(try String(contentsOfFile: folder.path + "/a.txt", encoding: .utf8) == text)
    }
}
