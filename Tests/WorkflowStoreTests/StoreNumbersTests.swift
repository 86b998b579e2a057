import Foundation
import GRDB
import PlainValue
import TestSupport
import Testing
import Workflow
import WorkflowKit
import WorkflowLua

@testable import WorkflowStore

/// Each number of a store is replaced by the least, the greatest and what is not a number: a
/// session is loaded, or said to be damaged, and the others go on.
@Suite(.timeLimit(.minutes(15))) struct StoreNumbersTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// A file with two sessions that have inputs, snapshots, receipts and dropped steps. If it is
    /// loose, its columns accept any values, as in another program's file.
    private func makeFile(isLoose: Bool) async throws -> URL {
        let path = folder.path("base.sqlite")
        let store = try SQLiteSessionStore(path: path, synchronization: .normal)
        for id in ["a", "b"] {
            let session = try await StoredSession.open(
                id, of: .diary, in: store, options: .test(),
                storage: StoredSessionOptions(snapshotInterval: 2))
            for n in 1...3 {
                try await session.send(
                    ["type": "add", "n": .int(n)], key: RequestKey("key \(n)", digest: UInt64(n)))
            }
            try await session.undo()
            try await session.send(["type": "add", "n": 4])
            _ = try await session.close()
        }
        try await store.pool.writeWithoutTransaction { db in
            try db.execute(sql: "UPDATE session SET wake_at = 5 WHERE id = 'a'")
            guard isLoose else { return }
            try db.execute(
                sql: """
                    PRAGMA writable_schema = ON;
                    UPDATE sqlite_schema SET sql = replace(replace(replace(replace(sql,
                        ' STRICT,', ''), ' STRICT', ''), 'INTEGER NOT NULL', ''),
                        'wake_at INTEGER', 'wake_at');
                    UPDATE sqlite_schema SET sql = replace(sql, 'time INTEGER', 'time');
                    PRAGMA writable_schema = OFF;
                    """)
        }
        // So that the file alone is all of it.
        _ = try await store.pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
        try store.close()
        return URL(filePath: path)
    }

    /// Asks for all that a store gives, and returns the number of errors about damage.
    private func askAll(_ store: SQLiteSessionStore, _ what: String) async -> Int {
        var damaged = 0
        func ask(_ body: () async throws -> Void) async {
            do { try await body() } catch let error as StoreError {
                #expect(!error.message.isEmpty, "\(what)")
                if error.code == .corrupted { damaged += 1 }
            } catch let error as FlowError {
                #expect(error.code == .snapshot, "\(what): \(error)")
            } catch {
                Issue.record("\(what): \(error)")
            }
        }
        await ask { _ = try await store.summary(of: "a") }
        for step in [nil, 0, 1, 3, Int.max] {
            await ask { _ = try await store.load("a", reaching: step) }
            await ask { _ = try await store.load("a", reaching: 0, through: step) }
        }
        await ask { _ = try await store.list(flow: nil, after: nil, limit: 10) }
        await ask { _ = try await store.receipts(["key 1", "key 3"], of: "a") }
        await ask { _ = try await store.keptStep(of: "a", since: 1) }
        await ask { _ = try await store.wakeUps() }
        await ask {
            _ = try await store.fork("a", to: SessionFork(id: "fork", step: 1, milliseconds: 1))
        }
        await ask {
            let session = try await StoredSession.open("a", of: .diary, in: store, options: .test())
            await ask { _ = try await session.moment(at: 1) }
            await ask { _ = try await session.moments(1...2) }
            for (key, digest) in [("key 3", 3), ("new", 4)] {
                let key = RequestKey(key, digest: UInt64(digest))
                await ask { try await session.send(["type": "add", "n": 9], key: key) }
            }
            await ask { try await session.undo() }
            await ask { try await session.go(to: 1) }
            await ask { try await session.close() }
        }
        await ask { try await store.compact("a") }
        await ask { _ = try await store.check() }
        return damaged
    }

    @Test(arguments: [false, true]) func aDamagedSessionIsSaidToBeSo(_ isLoose: Bool) async throws {
        let base = try await makeFile(isLoose: isLoose)
        let columns = [
            "session": [
                "number", "version", "step", "step_count", "created", "updated", "change",
                "wake_at", "first_step",
            ], "input": ["step", "time"], "snapshot": ["step"],
            "receipt": ["digest", "step", "input_count", "version", "is_given_up", "time", "key"],
            "cut": ["keeping", "version"],
        ]
        let numbers = [
            "-9223372036854775808", "-1", "0", "1", "2147483648", "9007199254740992",
            "9007199254740993", "9223372036854775807", "NULL",
        ]
        // Those that only a loose column takes.
        let others = ["NULL", "0.5", "1e300", "-0.0", "'1'", "'x'", "x'00'"]
        let cases = CaseFile("store-\(isLoose)")
        var damaged = 0
        for (table, columns) in columns.sorted(by: { $0.key < $1.key }) {
            for column in columns {
                for number in isLoose ? others : numbers {
                    let what = "\(table).\(column) = \(number)"
                    cases.begin(what)
                    let path = folder.path("case.sqlite")
                    for suffix in ["", "-wal", "-shm"] {
                        try? FileManager.default.removeItem(atPath: path + suffix)
                    }
                    try FileManager.default.copyItem(at: base, to: URL(filePath: path))
                    let store = try SQLiteSessionStore(path: path, synchronization: .normal)
                    let isDone = try await store.pool.writeWithoutTransaction { db in
                        let session = table == "session" ? "id = 'a'" : "session = 1"
                        return
                            (try? db.execute(
                                sql: """
                                    UPDATE OR IGNORE \(table) SET \(column) = \(number)
                                    WHERE rowid IN (
                                        SELECT rowid FROM \(table) WHERE \(session) LIMIT 1)
                                    """)) != nil
                            || (try? db.execute(
                                sql: """
                                    UPDATE OR IGNORE \(table) SET \(column) = \(number)
                                    WHERE \(session)
                                    """)) != nil
                    }
                    // The file takes no such value.
                    guard isDone else {
                        try store.close()
                        continue
                    }
                    damaged += await askAll(store, what)
                    let other = try await StoredSession.open(
                        "b", of: .diary, in: store, options: .test())
                    let moment = try await other.send(["type": "add", "n": 5])
                    #expect(moment.stepCount == 4, "\(what)")
                    try await other.close()
                    try store.close()
                }
            }
        }
        cases.end()
        #expect(damaged > 100, "\(damaged)")
    }

    @Test func aNumberOutOfRangeIsNamedWithItsSession() async throws {
        let base = try await makeFile(isLoose: false)
        let store = try SQLiteSessionStore(path: base.path)
        try await store.pool.writeWithoutTransaction { db in
            try db.execute(sql: "UPDATE session SET step_count = -5 WHERE id = 'a'")
        }
        let error = await #expect(throws: StoreError.self) { try await store.summary(of: "a") }
        #expect(error?.code == .corrupted)
        #expect(error?.message == "the session 'a' is damaged: its step_count is -5")
        #expect(error?.help == "restore the store from a copy, or delete the session")
        try await store.delete("a")
        #expect(try await store.list(flow: nil, after: nil, limit: 10).sessions.count == 1)
    }

    /// Two names of files that Swift takes for one do not end the program.
    @Test func codeWithTwoNamesThatAreOne() throws {
        let code = try FlowCode(
            hash: "1", main: "a.lua", text: "{\"e\u{301}.lua\":\"1\",\"\u{e9}.lua\":\"2\"}")
        #expect(code.files.count == 1)
    }
}
