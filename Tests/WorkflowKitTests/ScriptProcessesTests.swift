import Synchronization
import TestSupport
import Testing
import WorkflowLua

@testable import WorkflowKit

@Suite struct ScriptProcessesTests {
    /// Holds a process until it is asked to give it up.
    private actor Borrower: ProcessBorrower {
        private let alive: Alive
        private(set) var hasProcess = false

        init(_ alive: Alive) { self.alive = alive }

        func start() {
            guard !hasProcess else { return }
            hasProcess = true
            alive.change(by: 1)
        }

        func giveUpProcess() {
            guard hasProcess else { return }
            hasProcess = false
            alive.change(by: -1)
        }
    }

    private final class Alive: Sendable {
        private let counts = Mutex((now: 0, most: 0, uses: 0))
        var most: Int { counts.withLock { $0.most } }
        var uses: Int { counts.withLock { $0.uses } }

        func use() { counts.withLock { $0.uses += 1 } }

        func change(by step: Int) {
            counts.withLock { counts in
                counts.now += step
                counts.most = max(counts.most, counts.now)
            }
        }
    }

    private func untilWaiting(_ count: Int, for processes: ScriptProcesses) async {
        while processes.counts.waiting < count { await Task.yield() }
    }

    @Test func thereAreNeverMoreThanTheLimit() async {
        let processes = ScriptProcesses(limit: 4, patience: .seconds(1_000_000))
        let alive = Alive()
        // They are there to the end, since one that goes away without a word keeps its process.
        let borrowers = (0..<50).map { _ in Borrower(alive) }
        await withTaskGroup { group in
            for borrower in borrowers {
                for _ in 0..<2 {
                    group.addTask {
                        for _ in 0..<20 {
                            await #expect(throws: Never.self) {
                                try await processes.borrow(for: borrower)
                            }
                            await borrower.start()
                            await Task.yield()
                            // Nobody else takes the process meanwhile.
                            #expect(await borrower.hasProcess)
                            alive.use()
                            processes.giveBack(by: borrower)
                        }
                    }
                }
            }
        }
        #expect(alive.uses == borrowers.count * 2 * 20)
        #expect(alive.most == 4)
        let counts = processes.counts
        #expect(counts.lent == 0)
        #expect(counts.waiting == 0)
        #expect(counts.handovers > 0)
    }

    /// Gives its process up only when it is let.
    private actor SlowBorrower: ProcessBorrower {
        private let (ends, end) = AsyncStream<Void>.makeStream()
        private(set) var isAsked = false

        nonisolated func finish() { end.finish() }

        func giveUpProcess() async {
            isAsked = true
            for await _ in ends {}
        }
    }

    /// It would be given up in place of the one that another session waits for.
    @Test func aBorrowerGetsNoOtherProcessBeforeItHasGivenItsOwnUp() async throws {
        let processes = ScriptProcesses(limit: 2, patience: .seconds(1_000_000))
        let alive = Alive()
        let (slow, idle) = (SlowBorrower(), Borrower(alive))
        for session in [slow, idle] as [any ProcessBorrower] {
            try await processes.borrow(for: session)
            processes.giveBack(by: session)
        }
        let third = Borrower(alive)
        let taking = Task { try await processes.borrow(for: third) }
        while await !slow.isAsked { await Task.yield() }
        let again = Task { try await processes.borrow(for: slow) }
        while processes.counts.waits == 0, processes.counts.handovers == 1 { await Task.yield() }
        #expect(processes.counts == .init(held: 2, waiting: 1, waits: 1, handovers: 1))
        slow.finish()
        try await taking.value
        try await again.value
        #expect(processes.counts == .init(held: 2, lent: 2, waits: 1, handovers: 2))
    }

    /// It would have two, and could be asked for one of them while it uses the other.
    @Test func aBorrowerThatIsAboutToGetAProcessGetsNoSecondOne() async throws {
        let processes = ScriptProcesses(limit: 2, patience: .seconds(1_000_000))
        let alive = Alive()
        let (slow, idle) = (SlowBorrower(), Borrower(alive))
        for session in [slow, idle] as [any ProcessBorrower] {
            try await processes.borrow(for: session)
            processes.giveBack(by: session)
        }
        let third = Borrower(alive)
        let taking = (0..<2).map { _ in Task { try await processes.borrow(for: third) } }
        while await !slow.isAsked { await Task.yield() }
        while processes.counts.waits == 0, processes.counts.handovers == 1 { await Task.yield() }
        #expect(processes.counts == .init(held: 2, waiting: 1, waits: 1, handovers: 1))
        slow.finish()
        for task in taking { try await task.value }
        #expect(processes.counts == .init(held: 2, lent: 1, waits: 1, handovers: 1))
    }

    @Test func theOneThatHasBeenIdleForTheLongestTimeGivesItUp() async throws {
        let processes = ScriptProcesses(limit: 2)
        let alive = Alive()
        let all = (0..<3).map { _ in Borrower(alive) }
        for index in [0, 1, 0] {
            try await processes.borrow(for: all[index])
            await all[index].start()
            processes.giveBack(by: all[index])
        }
        try await processes.borrow(for: all[2])
        #expect(await all[0].hasProcess)
        #expect(await !all[1].hasProcess)
        #expect(processes.counts == .init(held: 2, lent: 1, handovers: 1))
    }

    @Test func borrowersGetAProcessInTheOrderInWhichTheyAsked() async throws {
        let processes = ScriptProcesses(limit: 1)
        let alive = Alive()
        let all = (0..<4).map { _ in Borrower(alive) }
        let (order, served) = AsyncStream<Int>.makeStream()
        try await processes.borrow(for: all[0])
        // The session that has it wants it once more. The others do not wait longer for that.
        var tasks: [Task<Void, any Error>] = []
        for index in [1, 2, 0, 3] {
            let borrower = all[index]
            let task = Task {
                try await processes.borrow(for: borrower, isPatient: true)
                served.yield(index)
                processes.giveBack(by: borrower)
            }
            tasks.append(task)
            await untilWaiting(tasks.count, for: processes)
        }
        processes.giveBack(by: all[0])
        for task in tasks { try await task.value }
        served.finish()
        var seen: [Int] = []
        for await index in order { seen.append(index) }
        #expect(seen == [1, 2, 0, 3])
        #expect(processes.counts.waits == 4)
    }

    @Test func aBorrowerThatWaitsForTooLongIsRefused() async throws {
        let clock = TestClock(.held)
        let processes = ScriptProcesses(limit: 1, clock: clock)
        let alive = Alive()
        let (first, second, patient) = (Borrower(alive), Borrower(alive), Borrower(alive))
        try await processes.borrow(for: first)
        let waiting = Task { try await processes.borrow(for: patient, isPatient: true) }
        await untilWaiting(1, for: processes)
        let refused = Task { try await processes.borrow(for: second) }
        await untilWaiting(2, for: processes)
        clock.open()
        let error = await #expect(throws: FlowError.self) { try await refused.value }
        #expect(error?.code == .noProcess)
        #expect(error?.message == "all processes for scripts are at work")
        #expect(processes.counts.waiting == 1)
        processes.giveBack(by: first)
        try await waiting.value
        #expect(processes.counts.lent == 1)
        #expect(processes.counts.held == 1)
    }

    @Test func aBorrowerThatIsClosedLeavesItsPlaceToOthers() async throws {
        let processes = ScriptProcesses(limit: 1)
        let alive = Alive()
        let (first, second, third) = (Borrower(alive), Borrower(alive), Borrower(alive))
        try await processes.borrow(for: first)
        let closed = Task { try await processes.borrow(for: second, isPatient: true) }
        await untilWaiting(1, for: processes)
        let waiting = Task { try await processes.borrow(for: third, isPatient: true) }
        await untilWaiting(2, for: processes)
        processes.leave(ObjectIdentifier(second))
        try await closed.value
        #expect(processes.counts.waiting == 1)
        processes.leave(ObjectIdentifier(first))
        try await waiting.value
        // A call that was running when it was closed.
        processes.giveBack(by: first)
        processes.giveBack(by: second)
        #expect(processes.counts == .init(held: 1, lent: 1, waits: 2))
    }

    /// The time of a test, which passes when a use of a process takes some.
    private final class UseTime: Sendable {
        private let time = Mutex(Duration.zero)
        var now: Duration { time.withLock { $0 } }

        func pass(_ duration: Duration) { time.withLock { $0 += duration } }
    }

    /// Sessions that wait for the only process, in this order, by their shares; and the order in
    /// which they get it. Each use takes the time of its share.
    private func order(
        of waiting: [String], taking times: [String: Duration] = [:]
    ) async throws -> [String] {
        let time = UseTime()
        let processes = ScriptProcesses(
            limit: 1, mostOfOne: 1, patience: .seconds(1_000_000), clock: ContinuousClock(),
            now: { time.now })
        let alive = Alive()
        let holder = Borrower(alive)
        try await processes.borrow(for: holder)
        let (order, served) = AsyncStream<String>.makeStream()
        try await withThrowingTaskGroup { group in
            for (index, share) in waiting.enumerated() {
                group.addTask {
                    let borrower = Borrower(alive)
                    try await processes.borrow(for: borrower, of: share, isPatient: true)
                    served.yield(share)
                    time.pass(times[share] ?? .zero)
                    processes.giveBack(by: borrower)
                }
                await untilWaiting(index + 1, for: processes)
            }
            processes.giveBack(by: holder)
            try await group.waitForAll()
        }
        served.finish()
        return await order.reduce(into: []) { $0.append($1) }
    }

    @Test func sharesTakeTurns() async throws {
        let waiting = Array(repeating: "a", count: 6) + ["b", "b", "c"]
        #expect(try await order(of: waiting) == ["a", "b", "c", "a", "b", "a", "a", "a", "a"])
    }

    @Test func aBorrowerWhoseScriptsRunUpToTheirLimitsWaitsLonger() async throws {
        let waiting = Array(repeating: "loops", count: 48) + Array(repeating: "other", count: 30)
        let seen = try await order(
            of: waiting, taking: ["loops": .seconds(2), "other": .milliseconds(99)])
        // Each use counts 1 ms more than it takes. After 2 s of the one, the other has as much.
        let turns = seen.indices.filter { seen[$0] == "loops" }
        #expect(turns.prefix(3) == [0, 22, 32])
    }

    @Test func halfOfTheProcessesAtMostWorkForOneShare() async throws {
        let processes = ScriptProcesses(limit: 4, patience: .seconds(1_000_000))
        let alive = Alive()
        let looping = (0..<48).map { _ in Borrower(alive) }
        let tasks = looping.map { borrower in
            Task { try await processes.borrow(for: borrower, of: "loops") }
        }
        await untilWaiting(46, for: processes)
        #expect(processes.counts.lent == 2)
        // Another one waits for nobody, as often as it comes.
        let other = Borrower(alive)
        for _ in 0..<20 {
            try await processes.borrow(for: other, of: "other")
            processes.giveBack(by: other)
        }
        #expect(processes.counts.waits == 46)
        // What belongs to nobody may have the rest.
        let nobody = (0..<2).map { _ in Borrower(alive) }
        for borrower in nobody { try await processes.borrow(for: borrower) }
        #expect(processes.counts.lent == 4)
        #expect(processes.counts.waiting == 46)
        for borrower in nobody { processes.giveBack(by: borrower) }
        for borrower in looping { processes.leave(ObjectIdentifier(borrower)) }
        for task in tasks { try await task.value }
        #expect(processes.counts.waiting == 0)
    }
}
