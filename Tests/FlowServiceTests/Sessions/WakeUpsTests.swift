import Synchronization
import TestSupport
import Testing
import WorkflowStore

@testable import FlowService

struct WakeUpsTests {
    private let ids: @Sendable ([Int]) async -> [Int: String]? = { numbers in
        Dictionary(uniqueKeysWithValues: numbers.map { ($0, "\($0)") })
    }

    private func woken(_ wakeUps: [WakeUp], now: Int, count: Int) async -> [Int] {
        let (numbers, found) = AsyncStream<Int>.makeStream()
        let sessions = WakeUps(now: { now }, ids: ids) { id in
            found.yield(Int(id) ?? 0)
            return true
        }
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

    @Test func allSessionsThatAreDueAreWokenHoweverManyAndNoOthers() async {
        let wakeUps = (1...1000).map { WakeUp(number: $0, milliseconds: $0) }
        var random = SeededNumbers.printed()
        let woken = await woken(wakeUps.shuffled(using: &random), now: 500, count: 500)
        #expect(woken.sorted() == Array(1...500))
    }

    @Test func sessionsStayDueWhileNobodyCanTellWhatTheyAreCalled() async {
        let (found, told) = AsyncStream<String>.makeStream()
        let time = Atomic(0)
        let asked = Atomic(0)
        let sessions = WakeUps(
            now: { time.add(1000, ordering: .relaxed).newValue },
            ids: { [ids] numbers in
                let count = asked.add(1, ordering: .relaxed).newValue
                return count < 3 ? nil : await ids(numbers)
            },
            wake: { id in
                told.yield(id)
                return true
            })
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

    @Test func sessionsThatCannotBeOpenedForNowAreTriedAgainAndNoOthers() async {
        let (found, told) = AsyncStream<String>.makeStream()
        let time = Atomic(0)
        let tried = Mutex<[String: Int]>([:])
        let sessions = WakeUps(
            now: { time.add(1000, ordering: .relaxed).newValue }, ids: ids,
            wake: { id in
                let count = tried.withLock { tried in
                    tried[id, default: 0] += 1
                    return tried[id, default: 0]
                }
                let isOpen = count == 3 || Int(id)?.isMultiple(of: 2) == true
                if isOpen { told.yield(id) }
                return isOpen
            })
        await sessions.add((1...100).map { WakeUp(number: $0, milliseconds: 0) })
        let running = Task { await sessions.run() }
        defer { running.cancel() }
        var count = 0
        for await _ in found {
            count += 1
            if count == 100 { break }
        }
        let counts = tried.withLock { $0 }
        #expect(counts.count == 100)
        #expect(counts.allSatisfy { $1 == (Int($0)?.isMultiple(of: 2) == true ? 1 : 3) })
        #expect(await sessions.count == 0)
    }

    @Test func aSessionThatIsDueWhenItFallsAsleepWaitsASecond() async {
        let (woken, told) = AsyncStream<Int>.makeStream()
        let time = Atomic(5000)
        let sessions = WakeUps(now: { time.load(ordering: .relaxed) }, ids: ids) { _ in
            told.yield(time.load(ordering: .relaxed))
            return true
        }
        await sessions.add(WakeUp(number: 1, milliseconds: 4000))
        await sessions.add([WakeUp(number: 2, milliseconds: 5000)])
        let running = Task { await sessions.run() }
        defer { running.cancel() }
        var times = woken.makeAsyncIterator()
        #expect(await times.next() == 5000)
        time.store(6000, ordering: .relaxed)
        #expect(await times.next() == 6000)
    }

    @Test func aSessionThatIsDueBeforeAllOthersIsWokenWithoutWaitingForThem() async {
        let (numbers, found) = AsyncStream<Int>.makeStream()
        let time = Atomic(0)
        let sessions = WakeUps(now: { time.load(ordering: .relaxed) }, ids: ids) { id in
            found.yield(Int(id) ?? 0)
            return true
        }
        await sessions.add([WakeUp(number: 1, milliseconds: 1_000_000_000)])
        let running = Task { await sessions.run() }
        defer { running.cancel() }
        await sessions.add(WakeUp(number: 2, milliseconds: 10))
        time.store(10, ordering: .relaxed)
        var iterator = numbers.makeAsyncIterator()
        #expect(await iterator.next() == 2)
        #expect(await sessions.count == 1)
    }
}
