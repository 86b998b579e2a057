import GRDB
import PlainValue
import TestSupport
import Testing
import Workflow
import WorkflowKit

@testable import WorkflowStore

@Suite struct SQLiteSessionStoreTests {
    private let folder: Folder
    private let store: SQLiteSessionStore

    init() throws {
        folder = try Folder()
        store = try SQLiteSessionStore(
            path: folder.path("sessions.sqlite"), synchronization: .normal)
    }

    private func create(_ id: String) async throws { try await store.create(id) }

    @Test func theFirstAndTheLatestSnapshotsAreKept() async throws {
        try await create("a")
        for step in 1...20 {
            _ = try await store.append(
                SessionChange(
                    keeping: step - 1, inputs: [input(step)], step: step,
                    snapshot: SessionSnapshot(step: step, document: snapshot(step)),
                    milliseconds: 1), to: "a", expecting: step)
        }
        #expect(try await store.load("a", reaching: 13).snapshot.step == 13)
        #expect(try await store.load("a", reaching: 12).snapshot.step == 0)
    }

    @Test func compactingMakesTheFileSmaller() async throws {
        try await create("a")
        let long = FlowInput(
            .action(
                ["type": "add", "n": .string(String(repeating: "x", count: 100_000))], node: "d"),
            milliseconds: 1)
        _ = try await store.append(
            SessionChange(
                keeping: 0, inputs: Array(repeating: long, count: 20), step: 20,
                snapshot: SessionSnapshot(step: 20, document: snapshot(20)), milliseconds: 1),
            to: "a", expecting: 1)
        try await store.compact("a")
        #expect(try folder.contents()["sessions.sqlite"]?.count ?? .max < 100_000)
    }

    @Test(
        arguments: [
            (
                "DELETE FROM snapshot", "the session 'a' is damaged: it has no snapshot",
                ["the inputs of a have holes"]
            ),
            (
                "DELETE FROM input WHERE step = 1",
                "the session 'a' is damaged: inputs are missing", ["the inputs of a have holes"]
            ),
            (
                "UPDATE input SET document = '{}' WHERE step = 1",
                "the session 'a' is damaged: "
                    + "an input is neither an action, nor props, nor of a worker", []
            ),
            (
                "INSERT INTO input VALUES (77, 1, '{}', 0)", nil,
                [#"a row is lost: [table:"input" rowid:NULL parent:"session" fkid:0]"#]
            ),
        ] as [(String, String?, [String])])
    func damageIsSaid(_ statement: String, _ message: String?, _ found: [String]) async throws {
        try await create("a")
        let change = SessionChange(
            keeping: 0, inputs: [input(1), input(2)], step: 2, milliseconds: 1)
        _ = try await store.append(change, to: "a", expecting: 1)
        try await store.pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF")
            try db.execute(sql: statement)
        }
        #expect(try await store.check() == found)
        var damaged: StoreError?
        do { _ = try await store.load("a") } catch { damaged = error }
        #expect(damaged?.message == message)
        #expect(
            damaged?.help
                == message.map { _ in "restore the store from a copy, or delete the session" })
    }

    @Test(arguments: [
        (
            ResultCode.SQLITE_FULL, StoreError.Code.full, "there is no space left for s.sqlite",
            "make room, and try again"
        ),
        (.SQLITE_BUSY, .busy, "s.sqlite is kept busy by somebody else", "try again"),
    ])
    func whatTheSystemRefusesIsSaid(
        _ result: ResultCode, _ code: StoreError.Code, _ message: String, _ help: String
    ) {
        let error = StoreError(DatabaseError(resultCode: result), path: "s.sqlite")
        #expect(error.code == code)
        #expect(error.message == message)
        #expect(error.help == help)
    }

    @Test(arguments: [(SQLiteSessionStore.Synchronization.full, 2), (.normal, 1)])
    func synchronizationIsWhatWasAsked(
        _ synchronization: SQLiteSessionStore.Synchronization, _ expected: Int
    ) async throws {
        let store = try SQLiteSessionStore(
            path: folder.path("other.sqlite"), synchronization: synchronization)
        let pragma = try await store.pool.writeWithoutTransaction { db in
            try Int.fetchOne(db, sql: "PRAGMA synchronous")
        }
        #expect(pragma == expected)
    }
}
