import GRDB
import PlainValue
import Testing
import TestSupport
import WorkflowKit

@testable import WorkflowStore

@Suite struct StoreReceiptTests {
    private let folder: Folder
    private static let uuid = "1b4e28ba-2fa1-11d2-883f-0016d3cca427"

    init() throws { folder = try Folder() }

    private func receipt(_ key: String, step: Int) -> Receipt {
        Receipt(key: key, digest: .max, step: step, inputCount: 1)
    }

    @Test(arguments: StoreKind.allCases)
    func aReceiptIsKeptWithItsInput(_ kind: StoreKind) async throws {
        let store = try await kind.makeStore(in: folder)
        try await store.create("a")
        let keys = ["k", Self.uuid, Self.uuid.uppercased(), String(repeating: "ü", count: 100)]
        for (index, key) in keys.enumerated() {
            try await store.add(index + 1, to: "a", receipts: [receipt(key, step: index + 1)])
        }
        for (index, key) in keys.enumerated() {
            var kept = receipt(key, step: index + 1)
            kept.screen = index + 2
            #expect(try await store.receipt(key, of: "a") == kept)
        }
        #expect(try await store.receipts(keys + ["l"], of: "a").count == 4)
        #expect(try await store.receipt("l", of: "a") == nil)
        #expect(try await store.receipt("k", of: "b") == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func aKeyThatIsKnownIsRefused(_ kind: StoreKind) async throws {
        let store = try await kind.makeStore(in: folder)
        try await store.create("a")
        try await store.create("b")
        try await store.add(1, to: "a", receipts: [receipt("k", step: 1)])
        try await store.add(1, to: "b", receipts: [receipt("k", step: 1)])
        let error = await #expect(throws: StoreError.self) {
            try await store.add(2, to: "a", receipts: [receipt("k", step: 2)])
        }
        #expect(error?.code == .conflict)
        #expect(try await store.summary(of: "a").stepCount == 1)
        let bad = await #expect(throws: StoreError.self) {
            try await store.add(2, to: "a", receipts: [receipt("a\nb", step: 2)])
        }
        #expect(bad?.code == .badKey)
        #expect(bad?.message == "'a\nb' cannot be the key of a request")
    }

    @Test(arguments: StoreKind.allCases)
    func aReceiptOfAStepThatIsGivenUpSaysSo(_ kind: StoreKind) async throws {
        let store = try await kind.makeStore(in: folder)
        try await store.create("a")
        for step in 1...3 {
            try await store.add(step, to: "a", receipts: [receipt("k\(step)", step: step)])
        }
        // An undo alone drops nothing.
        _ = try await store.append(
            SessionChange(keeping: 3, step: 1, milliseconds: 1), to: "a", expecting: 4)
        #expect(try await store.receipt("k2", of: "a")?.isGivenUp == false)
        try await store.add(2, to: "a", receipts: [receipt("k4", step: 2)])
        var givenUp: [Bool] = []
        for key in 1...4 {
            givenUp.append(try #require(try await store.receipt("k\(key)", of: "a")).isGivenUp)
        }
        #expect(givenUp == [false, true, true, false])
    }

    @Test(
        arguments: StoreKind.allCases, [[3, 5, 1, 6], [6, 2, 2, 4], [1, 7, 3, 3], [4, 3, 2, 1]])
    func receiptsAreGivenUpByWhicheverCutCameAfterThem(
        _ kind: StoreKind, _ cuts: [Int]
    ) async throws {
        let store = try await kind.makeStore(in: folder)
        try await store.create("a")
        var steps: [String: Int] = [:]
        var live: Set<String> = []
        func add(_ step: Int) async throws {
            let key = "k\(steps.count)"
            try await store.add(step, to: "a", receipts: [receipt(key, step: step)])
            live = live.filter { steps[$0] ?? 0 < step }.union([key])
            steps[key] = step
        }
        for cut in [0] + cuts {
            for step in (cut + 1)...8 { try await add(step) }
            for key in steps.keys {
                let isGivenUp = try await store.receipt(key, of: "a")?.isGivenUp
                #expect(isGivenUp == !live.contains(key), "\(key) after \(cut)")
            }
        }
    }

    @Test(
        arguments: StoreKind.allCases, [[3, 5, 1, 6], [6, 2, 2, 4], [1, 7, 3, 3], [4, 3, 2, 1]])
    func itIsKnownWhichStepsAreThoseOfBefore(_ kind: StoreKind, _ cuts: [Int]) async throws {
        let store = try await kind.makeStore(in: folder)
        try await store.create("a")
        // The steps at each version, as numbers that occur once.
        var moments: [Int: [Int]] = [:]
        var steps: [Int] = []
        var version = 1
        for cut in [0] + cuts {
            for step in (cut + 1)...8 {
                try await store.add(step, to: "a")
                version += 1
                steps = Array(steps.prefix(step - 1)) + [version]
                moments[version] = steps
            }
            for (since, before) in moments {
                let common = zip(before, steps).prefix { $0 == $1 }.count
                let kept = try await store.keptStep(of: "a", since: since) ?? before.count
                #expect(min(kept, before.count) == common, "since \(since)")
            }
        }
        #expect(try await store.keptStep(of: "none", since: 0) == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func aSessionIsCreatedAndForkedWithAReceipt(_ kind: StoreKind) async throws {
        let store = try await kind.makeStore(in: folder)
        let first = Receipt(key: "k", digest: 1, step: 0, screen: 1)
        _ = try await store.create(
            NewSession(
                id: "a", flow: "diary", document: snapshot(0), receipt: first, milliseconds: 1))
        #expect(try await store.receipt("k", of: "a") == first)
        try await store.add(1, to: "a")
        _ = try await store.fork(
            "a", to: SessionFork(id: "b", request: RequestKey("f", digest: 2), milliseconds: 1))
        #expect(
            try await store.receipts(["k", "f"], of: "b")
                == [Receipt(key: "f", digest: 2, step: 1, screen: 1)])
        try await store.delete("a")
        #expect(try await store.receipt("k", of: "a") == nil)
    }

    @Test func oldReceiptsAreRemovedManyAtATime() async throws {
        let store = try SQLiteSessionStore(
            path: folder.path("sessions.sqlite"), synchronization: .normal)
        try await store.create("a")
        try await store.create("b")
        for step in 1...40 {
            try await store.add(step, to: "a", receipts: [receipt("a\(step)", step: step)], at: 0)
        }
        func count() async throws -> Int {
            try await store.read { db in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM receipt") ?? 0
            }
        }
        #expect(try await count() == 40)
        // A receipt at the age limit stays.
        try await store.add(1, to: "b", receipts: [receipt("b1", step: 1)], at: Receipt.lifetime)
        for step in 2...24 {
            #expect(try await count() == 40 + step - 1)
            try await store.add(
                step, to: "b", receipts: [receipt("b\(step)", step: step)],
                at: Receipt.lifetime + 1000)
        }
        // After 32 insertions 256 rows are looked at.
        #expect(try await count() == 24)
        #expect(try await store.receipt("b1", of: "b")?.step == 1)
    }
}
