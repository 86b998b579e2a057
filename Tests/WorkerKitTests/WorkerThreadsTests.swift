import Dispatch
import Synchronization
import Testing
import WorkerKit

@Suite struct WorkerThreadsTests {
    @Test func tasksThatBlockTheirThreadsDoNotHoldUpOthers() async {
        let threads = WorkerThreads(limit: 9)
        let gate = DispatchSemaphore(value: 0)
        let blocked = (0..<8).map { _ in Task(executorPreference: threads) { gate.block() } }
        let answer = await Task(executorPreference: threads) { "still here" }.value
        #expect(answer == "still here")
        for _ in blocked { gate.signal() }
        for task in blocked { await task.value }
    }

    @Test func moreTasksThanThreadsAllRun() async {
        let threads = WorkerThreads(limit: 2)
        let sum = await withTaskGroup(of: Int.self) { group in
            for number in 1...5000 {
                group.addTask(executorPreference: threads) {
                    await Task.yield()
                    return number
                }
            }
            return await group.reduce(0, +)
        }
        #expect(sum == 12_502_500)
    }
}

extension WorkerThreadsTests {
    @Test func othersWorkInThePlaceOfThreadsThatAreAtOneJobForLong() async {
        let (looks, look) = AsyncStream<Void>.makeStream()
        let threads = WorkerThreads(limit: 2, spare: 64) { look.yield() }
        let gate = DispatchSemaphore(value: 0)
        let blocked = (0..<30).map { _ in Task(executorPreference: threads) { gate.block() } }
        let answer = await Task(executorPreference: threads) { "still here" }.value
        #expect(answer == "still here")
        for await _ in looks { break }
        for _ in blocked { gate.signal() }
        for task in blocked { await task.value }
    }

    /// A thread takes the job that its own one adds, and here its own one waits for that.
    @Test func aJobThatOneForLongHasAddedGoesToAnotherThread() async {
        let threads = WorkerThreads(limit: 2, spare: 8) {}
        for _ in 0..<5 {
            let gate = DispatchSemaphore(value: 0)
            await Task(executorPreference: threads) {
                Task(executorPreference: threads) { gate.signal() }
                gate.block()
            }.value
        }
    }

    /// Once no thread is slow there are more threads than may be, and those that are called end.
    @Test func anIdleThreadThatEndsPassesItsCallOn() async {
        let (looks, look) = AsyncStream<Void>.makeStream()
        let threads = WorkerThreads(limit: 1, spare: 8, rest: .seconds(86400)) { look.yield() }
        var seen = looks.makeAsyncIterator()
        let gate = DispatchSemaphore(value: 0)
        for _ in 0..<10 {
            let slow = Task(executorPreference: threads) { gate.block() }
            await seen.next()
            await withTaskGroup { group in
                for _ in 0..<100 {
                    group.addTask(executorPreference: threads) { await Task.yield() }
                }
            }
            gate.signal()
            await slow.value
            await Task(executorPreference: threads) {}.value
        }
    }

    @Test func noMoreThreadsWorkThanAreSpare() async {
        let threads = WorkerThreads(limit: 1, spare: 3) {}
        let gate = DispatchSemaphore(value: 0)
        let begun = Count()
        let tasks = (0..<12).map { _ in
            Task(executorPreference: threads) {
                begun.add()
                gate.block()
            }
        }
        while begun.now < 4 { await Task.yield() }
        for count in 4..<12 {
            #expect(begun.now == count)
            gate.signal()
            while begun.now == count { await Task.yield() }
        }
        for _ in 0..<4 { gate.signal() }
        for task in tasks { await task.value }
    }
}

private final class Count: Sendable {
    private let count = Atomic(0)
    var now: Int { count.load(ordering: .relaxed) }

    func add() { count.add(1, ordering: .relaxed) }
}

extension DispatchSemaphore {
    /// Blocks like code that does not know about tasks.
    fileprivate func block() { wait() }
}
