import PlainValue
import TestSupport
import Testing
import WorkflowKit

@testable import WorkflowStore

@Suite struct StoreSessionsTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test(arguments: StoreKind.allCases)
    func sessionsAreListedByPagesTheNewestFirst(_ kind: StoreKind) async throws {
        let store = try await kind.makeStore(in: folder)
        for n in 1...7 {
            try await store.create("\(n)", flow: n.isMultiple(of: 2) ? "even" : "odd")
        }
        try await store.add(1, to: "3")
        func pages(of flow: String?, limit: Int) async throws -> [[String]] {
            var pages: [[String]] = []
            var after: String?
            repeat {
                let page = try await store.list(flow: flow, after: after, limit: limit)
                pages.append(page.sessions.map(\.id))
                after = page.next
            } while after != nil
            return pages
        }
        #expect(try await pages(of: nil, limit: 3) == [["7", "6", "5"], ["4", "3", "2"], ["1"]])
        #expect(try await pages(of: "odd", limit: 2) == [["7", "5"], ["3", "1"]])
        #expect(try await pages(of: "none", limit: 2) == [[]])
        let page = try await store.list(limit: 2)
        // Sessions deleted or created meanwhile do not move a page.
        try await store.delete("6")
        try await store.create("8")
        #expect(
            try await store.list(flow: nil, after: page.next, limit: 2).sessions.map(\.id)
                == ["5", "4"])
        let error = await #expect(throws: StoreError.self) {
            try await store.list(flow: nil, after: "x", limit: 2)
        }
        #expect(error?.message == "no page of sessions ends in 'x'")
        #expect(error?.help == "give the next of the page before, or begin with the first page")
    }

    @Test(arguments: StoreKind.allCases)
    func aSessionHasNoVersionOfADeletedOneWithItsID(_ kind: StoreKind) async throws {
        let store = try await kind.makeStore(in: folder)
        try await store.create("origin")
        try await store.add(1, to: "origin")
        for isFork in [false, true] {
            try await store.create("a")
            for step in 1...3 { try await store.add(step, to: "a") }
            let last = try await store.summary(of: "a").version
            try await store.delete("a")
            if isFork {
                _ = try await store.fork("origin", to: SessionFork(id: "a", milliseconds: 1))
            } else {
                try await store.create("a")
            }
            let new = try await store.summary(of: "a")
            #expect(new.version > last)
            #expect(new.screen == new.version)
            // Whoever saw the deleted one begins anew, and whoever has seen the new one does not.
            #expect(try await store.keptStep(of: "a", since: last) == 0)
            #expect(try await store.keptStep(of: "a", since: new.version) == nil)
            try await store.delete("a")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func theScreenIsTheVersionOfTheStepOrTheFiles(_ kind: StoreKind) async throws {
        let store = try await kind.makeStore(in: folder)
        let code = FlowCode(hash: "1", main: "diary.lua", files: ["diary.lua": "return {}"])
        try await store.create("a")
        var screens = [try await store.summary(of: "a").screen]
        for change in [
            SessionChange(keeping: 0, inputs: [input(1)], step: 1, milliseconds: 1),
            // A snapshot, a wake-up and a receipt change nothing that is seen.
            SessionChange(
                keeping: 1, step: 1, snapshot: SessionSnapshot(step: 1, document: snapshot(1)),
                receipts: [Receipt(key: "k", digest: 1, step: 1)], wakeAt: 7, milliseconds: 1),
            SessionChange(keeping: 1, step: 0, milliseconds: 1),
            SessionChange(keeping: 0, inputs: [input(2)], step: 1, milliseconds: 1),
            SessionChange(keeping: 1, step: 1, code: code, milliseconds: 1),
            SessionChange(keeping: 1, step: 1, code: code, milliseconds: 1),
        ] {
            let version = try await store.summary(of: "a").version
            _ = try await store.append(change, to: "a", expecting: version)
            screens.append(try await store.summary(of: "a").screen)
        }
        #expect(screens == [1, 2, 2, 4, 5, 6, 6])
        #expect(try await store.receipt("k", of: "a")?.screen == 2)
    }

    @Test(arguments: StoreKind.allCases)
    func aForkHasTheInputsUpToAStep(_ kind: StoreKind) async throws {
        let store = try await kind.makeStore(in: folder)
        try await store.create("a")
        for step in 1...4 { try await store.add(step, to: "a") }
        _ = try await store.append(
            SessionChange(
                keeping: 4, step: 3, snapshot: SessionSnapshot(step: 2, document: snapshot(2)),
                milliseconds: 1), to: "a", expecting: 5)
        let fork = try await store.fork("a", to: SessionFork(id: "b", milliseconds: 77))
        #expect(fork.step == 3)
        #expect(fork.stepCount == 3)
        #expect(fork.version == 1)
        #expect(fork.created == 77)
        #expect(fork.wakeAt == 0)
        let contents = try await store.load("b")
        #expect(contents.summary == fork)
        #expect(contents.snapshot.step == 2)
        #expect(contents.inputs == [input(3)])
        _ = try await store.fork("a", to: SessionFork(id: "c", step: 1, milliseconds: 77))
        #expect(try await store.load("c").inputs == [input(1)])
        // The other session continues independently.
        try await store.add(2, to: "b")
        #expect(try await store.summary(of: "a").stepCount == 4)

        func code(_ id: String, _ fork: SessionFork) async -> StoreError.Code? {
            await #expect(throws: StoreError.self) { try await store.fork(id, to: fork) }?.code
        }
        #expect(await code("a", SessionFork(id: "b", milliseconds: 1)) == .exists)
        #expect(await code("a", SessionFork(id: "d", step: 5, milliseconds: 1)) == .noSuchStep)
        #expect(await code("x", SessionFork(id: "d", milliseconds: 1)) == .notFound)
        #expect(await code("a", SessionFork(id: "", milliseconds: 1)) == .badID)
    }

    @Test(arguments: StoreKind.allCases)
    func inputsUpToAStepAreLoaded(_ kind: StoreKind) async throws {
        let store = try await kind.makeStore(in: folder)
        try await store.create("a")
        for step in 1...4 { try await store.add(step, to: "a") }
        #expect(
            try await store.load("a", reaching: 2, through: 3).inputs
                == [input(1), input(2), input(3)])
        #expect(try await store.load("a", reaching: 2, through: 0).inputs == [])
        let error = await #expect(throws: StoreError.self) {
            try await store.load("a", reaching: 2, through: 5)
        }
        #expect(error?.code == .noSuchStep)
    }

    @Test(arguments: StoreKind.allCases)
    func filesAreKeptOnceByTheirHash(_ kind: StoreKind) async throws {
        let store = try await kind.makeStore(in: folder)
        let first = FlowCode(
            hash: "1", main: "a.lua", files: ["a.lua": "return 1\n", "b/c.lua": "\u{0}\"ü"])
        let second = FlowCode(hash: "2", main: "a.lua", files: ["a.lua": "return 2"])
        for id in ["a", "b"] {
            _ = try await store.create(
                NewSession(
                    id: id, flow: "diary", document: snapshot(0), code: first, milliseconds: 1))
        }
        _ = try await store.append(
            SessionChange(keeping: 0, step: 0, code: second, milliseconds: 1), to: "b",
            expecting: 1)
        try await store.add(1, to: "b")
        #expect(try await store.summary(of: "a").code == "1")
        #expect(try await store.summary(of: "b").code == "2")
        #expect(try await store.code("1") == first)
        #expect(try await store.code("2") == second)
        #expect(try await store.code("3") == nil)
        // Hashes are no protection against forgery, so the first of two is not taken for the other.
        let forged = await #expect(throws: StoreError.self) {
            try await store.append(
                SessionChange(
                    keeping: 0, step: 0, code: FlowCode(hash: "1", main: "a.lua", files: [:]),
                    milliseconds: 1), to: "a", expecting: 1)
        }
        #expect(forged?.code == .exists)
        #expect(try await store.code("1") == first)
    }

    @Test(arguments: StoreKind.allCases)
    func wakeUpsAreThoseOfTheLastChanges(_ kind: StoreKind) async throws {
        let store = try await kind.makeStore(in: folder)
        _ = try await store.create(
            NewSession(id: "a", flow: "diary", document: snapshot(0), wakeAt: 0, milliseconds: 1))
        try await store.create("b")
        try await store.create("c")
        for (id, wakeAt) in [("b", 5000), ("c", 6000)] {
            _ = try await store.append(
                SessionChange(keeping: 0, step: 0, wakeAt: wakeAt, milliseconds: 1), to: id,
                expecting: 1)
        }
        _ = try await store.append(
            SessionChange(keeping: 0, step: 0, milliseconds: 1), to: "c", expecting: 2)
        let wakeUps = try await store.wakeUps()
        let ids = try await store.ids(of: wakeUps.map(\.number))
        let found = wakeUps.map { (ids[$0.number] ?? "", $0.milliseconds) }
        #expect(Dictionary(uniqueKeysWithValues: found) == ["a": 0, "b": 5000])
        #expect(try await store.summary(of: "b").wakeAt == 5000)
        let number = try await store.summary(of: "c").number
        #expect(try await store.ids(of: [77, number, 78]) == [number: "c"])
    }
}
