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

extension DispatchSemaphore {
    /// Blocks like code that does not know about tasks.
    fileprivate func block() { wait() }
}
