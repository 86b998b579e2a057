import Synchronization
import Testing
import WorkflowStore

@testable import FlowService

@Suite("Sessions that sleep") struct WakeUpsTests {
    private let ids: @Sendable ([Int]) async -> [String]? = { $0.map { "\($0)" } }

    private func woken(
        _ wakeUps: [WakeUp], now: Int, count: Int
    ) async -> [Int] {
        let (numbers, found) = AsyncStream<Int>.makeStream()
        let sessions = WakeUps(now: { now }, ids: ids) { found.yield(Int($0) ?? 0) }
        await sessions.add(wakeUps)
        let running = Task { await sessions.run() }
        defer { running.cancel() }
        var woken: [Int] = []
        for await number in numbers {
            woken.append(number)
            if woken.count == count { break }
        }
        return woken
    }

    @Test("those that are due are woken, however many, and no others") func due() async {
        let wakeUps = (1...1000).map { WakeUp(number: $0, milliseconds: $0) }
        let woken = await woken(wakeUps.shuffled(), now: 500, count: 500)
        #expect(woken.sorted() == Array(1...500))
    }

    @Test("while nobody can tell what they are called, they stay due") func unknown() async {
        let (found, told) = AsyncStream<String>.makeStream()
        let time = Atomic(0)
        let asked = Atomic(0)
        let sessions = WakeUps(
            now: { time.add(1000, ordering: .relaxed).newValue },
            ids: { numbers in
                let count = asked.add(1, ordering: .relaxed).newValue
                return count < 3 ? nil : numbers.map { "\($0)" }
            },
            wake: { told.yield($0) })
        await sessions.add([WakeUp(number: 1, milliseconds: 0), WakeUp(number: 2, milliseconds: 0)])
        let running = Task { await sessions.run() }
        defer { running.cancel() }
        var woken: Set<String> = []
        for await id in found {
            woken.insert(id)
            if woken.count == 2 { break }
        }
        #expect(woken == ["1", "2"])
        #expect(asked.load(ordering: .relaxed) == 3)
    }

    @Test("one that is due earlier than all others is woken without waiting for these")
    func earlier() async {
        let (numbers, found) = AsyncStream<Int>.makeStream()
        let sessions = WakeUps(now: { 0 }, ids: ids) { found.yield(Int($0) ?? 0) }
        await sessions.add([WakeUp(number: 1, milliseconds: 1_000_000_000)])
        let running = Task { await sessions.run() }
        defer { running.cancel() }
        await sessions.add(WakeUp(number: 2, milliseconds: 0))
        var iterator = numbers.makeAsyncIterator()
        #expect(await iterator.next() == 2)
        #expect(await sessions.count == 1)
    }
}
