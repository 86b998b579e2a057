import PlainValue
import Testing
import TestSupport
import Workflow
import WorkflowKit

@testable import WorkflowStore

@Suite struct SessionStoreTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test(arguments: StoreKind.allCases) func whatIsAddedIsLoaded(_ kind: StoreKind) async throws {
        let store = try await kind.makeStore(in: folder)
        try await store.create("a")
        let version = try await store.append(
            SessionChange(
                id: 7, keeping: 0, inputs: [input(1), input(2)], step: 2, milliseconds: 2000),
            to: "a", expecting: 1)
        let contents = try await store.load("a")
        #expect(version == 2)
        #expect(
            contents
                == SessionContents(
                    summary: SessionSummary(
                        id: "a", number: 1, flow: "diary", version: 2, change: 7, step: 2,
                        stepCount: 2, firstStep: 0, created: 1000, updated: 2000),
                    snapshot: SessionSnapshot(step: 0, document: snapshot(0)),
                    inputs: [input(1), input(2)]))
    }

    @Test(arguments: StoreKind.allCases) func anIDIsTakenAsAWhole(_ kind: StoreKind) async throws {
        let store = try await kind.makeStore(in: folder)
        try await store.create("a")
        for id in ["a\0", "a\0b", "a\n"] {
            var codes: [StoreError.Code?] = []
            codes.append(await #expect(throws: StoreError.self) { try await store.load(id) }?.code)
            codes.append(
                await #expect(throws: StoreError.self) {
                    try await store.append(
                        SessionChange(keeping: 0, step: 0, milliseconds: 2000), to: id,
                        expecting: 1)
                }?.code)
            codes.append(
                await #expect(throws: StoreError.self) { try await store.delete(id) }?.code)
            #expect(codes == [.notFound, .notFound, .notFound])
        }
        #expect(try await store.list(flow: "diary\0x").sessions.isEmpty)
        #expect(try await store.summary(of: "a").version == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func aChangeFromAnOldVersionIsRefusedWhole(_ kind: StoreKind) async throws {
        let store = try await kind.makeStore(in: folder)
        try await store.create("a")
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

    @Test(arguments: StoreKind.allCases)
    func aChangeThatIsRefusedConcernsNobodyElse(_ kind: StoreKind) async throws {
        let store = try await kind.makeStore(in: folder)
        for n in 0..<40 { try await store.create("\(n)") }
        let change = SessionChange(keeping: 0, inputs: [input(1)], step: 1, milliseconds: 2000)
        // Every third change is based on a version that does not exist.
        let codes = await withTaskGroup { group in
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

    @Test(arguments: StoreKind.allCases)
    func inputsAfterThoseThatStayAreGivenUp(_ kind: StoreKind) async throws {
        let store = try await kind.makeStore(in: folder)
        try await store.create("a")
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
    }

    @Test(arguments: StoreKind.allCases)
    func theLastSnapshotBeforeAStepIsLoaded(_ kind: StoreKind) async throws {
        let store = try await kind.makeStore(in: folder)
        try await store.create("a")
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

    @Test(arguments: StoreKind.allCases)
    func aCompactedSessionBeginsAtItsLatestSnapshot(_ kind: StoreKind) async throws {
        let store = try await kind.makeStore(in: folder)
        try await store.create("a")
        _ = try await store.append(
            SessionChange(
                keeping: 0, inputs: [input(1), input(2)], step: 2,
                snapshot: SessionSnapshot(step: 2, document: snapshot(2)), milliseconds: 1),
            to: "a", expecting: 1)
        _ = try await store.append(
            SessionChange(keeping: 2, inputs: [input(3)], step: 3, milliseconds: 1), to: "a",
            expecting: 2)
        try await store.compact("a")
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
    }

    @Test(arguments: StoreKind.allCases)
    func aDeletedSessionIsGoneWithAllOfIt(_ kind: StoreKind) async throws {
        let store = try await kind.makeStore(in: folder)
        try await store.create("a")
        _ = try await store.append(
            SessionChange(keeping: 0, inputs: [input(1)], step: 1, milliseconds: 9), to: "a",
            expecting: 1)
        try await store.delete("a")
        #expect(try await store.list().sessions == [])
        try await store.create("a")
        #expect(try await store.load("a").inputs == [])
    }

    @Test(arguments: StoreKind.allCases) func errorsNameTheSession(_ kind: StoreKind) async throws {
        let store = try await kind.makeStore(in: folder)
        try await store.create("a")
        func message(_ body: () async throws -> Void) async -> String? {
            do { try await body() } catch { return (error as? StoreError)?.description }
            return nil
        }
        let change = SessionChange(keeping: 0, step: 0, milliseconds: 0)
        #expect(await message { try await store.create("a") } == "there is a session 'a' already")
        #expect(await message { _ = try await store.load("b") } == "there is no session 'b'")
        #expect(await message { try await store.delete("b") } == "there is no session 'b'")
        #expect(await message { try await store.compact("b") } == "there is no session 'b'")
        #expect(await message { _ = try await store.summary(of: "b") } == "there is no session 'b'")
        #expect(
            await message { _ = try await store.append(change, to: "b", expecting: 1) }
                == "there is no session 'b'")
        for id in ["", "a\nb", String(repeating: "x", count: 201)] {
            #expect(
                await message { try await store.create(id) }
                    == "'\(id.prefix(40))' cannot be the id of a session; "
                    + "use 1 to 200 bytes of text without control characters")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aValueThatIsNestedTooDeepIsRefused(_ kind: StoreKind) async throws {
        let store = try await kind.makeStore(in: folder)
        try await store.create("a")
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

}
