import GRDB
import PlainValue
import TestSupport
import Testing
import Workflow
import WorkflowKit

@testable import WorkflowStore

@Suite struct SQLiteSessionStoreTests {
    private let folder: TemporaryFolder
    private let store: SQLiteSessionStore

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteSessionStore(
            path: folder.path("sessions.sqlite"), synchronization: .normal)
    }

    private func create(_ id: String, at milliseconds: Int = 1000) async throws {
        _ = try await store.create(
            NewSession(
                id: id, flow: "diary", document: snapshot(0), milliseconds: milliseconds))
    }

    private func snapshot(_ n: Int) -> Value {
        ["workflow_snapshot": 1, "props": [:], "root": ["name": "diary", "state": ["n": .int(n)]]]
    }

    private func input(_ n: Int) -> FlowInput {
        FlowInput(.action(["type": "add", "n": .int(n)], node: "diary"), milliseconds: 1000 + n)
    }

    @Test func whatIsAddedIsLoaded() async throws {
        try await create("a")
        let version = try await store.append(
            SessionChange(keeping: 0, inputs: [input(1), input(2)], step: 2, milliseconds: 2000),
            to: "a", expecting: 1)
        let contents = try await store.load("a")
        #expect(version == 2)
        #expect(
            contents
                == SessionContents(
                    summary: SessionSummary(
                        id: "a", flow: "diary", version: 2, step: 2, stepCount: 2, firstStep: 0,
                        created: 1000, updated: 2000),
                    snapshot: SessionSnapshot(step: 0, document: snapshot(0)),
                    inputs: [input(1), input(2)]))
    }

    @Test func aChangeFromAnOldVersionIsRefusedWhole() async throws {
        try await create("a")
        let change = SessionChange(keeping: 0, inputs: [input(1)], step: 1, milliseconds: 2000)
        _ = try await store.append(change, to: "a", expecting: 1)
        let error = await #expect(throws: StoreError.self) {
            try await store.append(change, to: "a", expecting: 1)
        }
        #expect(error?.code == .conflict)
        #expect(error?.message == "the session 'a' was changed elsewhere meanwhile")
        #expect(error?.help == "load it again, and do again what is still wanted")
        #expect(try await store.load("a").inputs == [input(1)])
        #expect(try await store.summary(of: "a").version == 2)
    }

    @Test func aChangeThatIsRefusedConcernsNobodyElse() async throws {
        for n in 0..<40 { try await create("\(n)") }
        let change = SessionChange(keeping: 0, inputs: [input(1)], step: 1, milliseconds: 2000)
        // Every third goes out from a version that is not there.
        let codes = await withTaskGroup { [store] group in
            for n in 0..<40 {
                group.addTask { () -> (Int, StoreError.Code?) in
                    do throws(StoreError) {
                        _ = try await store.append(
                            change, to: "\(n)", expecting: n % 3 == 0 ? 7 : 1)
                        return (n, nil)
                    } catch {
                        return (n, error.code)
                    }
                }
            }
            return await group.reduce(into: [Int: StoreError.Code?]()) { $0[$1.0] = $1.1 }
        }
        for n in 0..<40 {
            #expect(codes[n] == (n % 3 == 0 ? .conflict : nil as StoreError.Code?))
            #expect(try await store.load("\(n)").inputs.count == (n % 3 == 0 ? 0 : 1))
        }
    }

    @Test func inputsAfterThoseThatStayAreGivenUp() async throws {
        try await create("a")
        _ = try await store.append(
            SessionChange(
                keeping: 0, inputs: [input(1), input(2), input(3)], step: 3,
                snapshot: SessionSnapshot(step: 3, document: snapshot(3)), milliseconds: 1),
            to: "a", expecting: 1)
        _ = try await store.append(
            SessionChange(keeping: 1, inputs: [input(9)], step: 2, milliseconds: 1), to: "a",
            expecting: 2)
        let contents = try await store.load("a")
        #expect(contents.snapshot.step == 0)
        #expect(contents.inputs == [input(1), input(9)])
        #expect(try await store.check() == [])
    }

    @Test func theLastSnapshotBeforeAStepIsLoaded() async throws {
        try await create("a")
        for step in 1...4 {
            _ = try await store.append(
                SessionChange(
                    keeping: step - 1, inputs: [input(step)], step: step,
                    snapshot: step % 2 == 0
                        ? SessionSnapshot(step: step, document: snapshot(step)) : nil,
                    milliseconds: 1), to: "a", expecting: step)
        }
        #expect(try await store.load("a").snapshot.step == 4)
        let earlier = try await store.load("a", reaching: 3)
        #expect(earlier.snapshot == SessionSnapshot(step: 2, document: snapshot(2)))
        #expect(earlier.inputs == [input(3), input(4)])
    }

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

    @Test func aCompactedSessionBeginsAtItsLatestSnapshot() async throws {
        try await create("a")
        _ = try await store.append(
            SessionChange(
                keeping: 0, inputs: [input(1), input(2)], step: 2,
                snapshot: SessionSnapshot(step: 2, document: snapshot(2)), milliseconds: 1),
            to: "a", expecting: 1)
        _ = try await store.append(
            SessionChange(keeping: 2, inputs: [input(3)], step: 3, milliseconds: 1), to: "a",
            expecting: 2)
        try await store.compactAll()
        let contents = try await store.load("a")
        #expect(contents.snapshot == SessionSnapshot(step: 2, document: snapshot(2)))
        #expect(contents.inputs == [input(3)])
        #expect(contents.summary.firstStep == 2)
        #expect(contents.summary.version == 3)
        let error = await #expect(throws: StoreError.self) {
            try await store.load("a", reaching: 1)
        }
        #expect(error?.code == .noSuchStep)
        #expect(error?.message == "the session 'a' has no step 1")
        #expect(error?.help == "steps from 2 to 3 are kept")
        #expect(try await store.check() == [])
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

    @Test func sessionsAreListedTheLastChangedFirst() async throws {
        try await create("a", at: 1)
        try await create("b", at: 2)
        try await create("c", at: 3)
        _ = try await store.append(
            SessionChange(keeping: 0, inputs: [input(1)], step: 1, milliseconds: 9), to: "b",
            expecting: 1)
        #expect(try await store.list().map(\.id) == ["b", "c", "a"])
        #expect(try await store.list().map(\.stepCount) == [1, 0, 0])
        #expect(try await store.list().map(\.updated) == [9, 3, 1])
    }

    @Test func aDeletedSessionIsGoneWithAllOfIt() async throws {
        try await create("a")
        _ = try await store.append(
            SessionChange(keeping: 0, inputs: [input(1)], step: 1, milliseconds: 9), to: "a",
            expecting: 1)
        try await store.delete("a")
        #expect(try await store.list() == [])
        try await create("a")
        #expect(try await store.load("a").inputs == [])
    }

    @Test func errorsNameTheSession() async throws {
        try await create("a")
        func message(_ body: () async throws -> Void) async -> String? {
            do { try await body() } catch { return (error as? StoreError)?.description }
            return nil
        }
        let change = SessionChange(keeping: 0, step: 0, milliseconds: 0)
        #expect(await message { try await create("a") } == "there is a session 'a' already")
        #expect(await message { _ = try await store.load("b") } == "there is no session 'b'")
        #expect(await message { try await store.delete("b") } == "there is no session 'b'")
        #expect(await message { try await store.compact("b") } == "there is no session 'b'")
        #expect(await message { _ = try await store.summary(of: "b") } == "there is no session 'b'")
        #expect(
            await message { _ = try await store.append(change, to: "b", expecting: 1) }
                == "there is no session 'b'")
        for id in ["", "a\nb", String(repeating: "x", count: 201)] {
            #expect(
                await message { try await create(id) }
                    == "'\(id.prefix(40))' cannot be the id of a session; "
                    + "use 1 to 200 bytes of text without control characters")
        }
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
                "the session 'a' is damaged: an input has no \"at\"", []
            ),
            (
                "INSERT INTO input VALUES (77, 1, '{}')", nil,
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
                == message.map { _ in "restore the file from a copy, or delete the session" })
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

    @Test func aValueThatIsNestedTooDeepIsRefused() async throws {
        try await create("a")
        var deep: Value = 1
        for _ in 0..<160 { deep = [deep] }
        let change = SessionChange(
            keeping: 0,
            inputs: [FlowInput(.action(["type": "add", "n": deep], node: "d"), milliseconds: 1)],
            step: 1, milliseconds: 1)
        let error = await #expect(throws: StoreError.self) {
            try await store.append(change, to: "a", expecting: 1)
        }
        #expect(error?.code == .notStorable)
        #expect(error?.message == "an input is too large or nested too deep to be kept")
        #expect(error?.help == "values that are kept may hold lists and records 150 deep")
        #expect(try await store.summary(of: "a").version == 1)
    }

    @Test(arguments: [
        (SQLiteSessionStore.Synchronization.full, 2), (.normal, 1),
    ])
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
