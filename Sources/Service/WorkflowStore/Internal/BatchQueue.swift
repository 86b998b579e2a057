import Synchronization
import WorkerKit

/// Executes requests on a thread that waits for the database, all that arrived meanwhile at once.
package final class BatchQueue<Request: Sendable, Answer: Sendable>: Sendable {
    private struct Job: Sendable {
        let request: Request
        let caller: CheckedContinuation<Answer, any Error>
    }

    private struct State {
        var waiting: [Job] = []
        var isExecuting = false
    }

    private let count: Int
    private let bytes: Int
    private let size: @Sendable (Request) -> Int
    private let name: @Sendable (Request) -> String?
    private let execute: @Sendable ([Request]) throws -> [Result<Answer, any Error>]
    private let state = Mutex(State())
    private let thread = WorkerThreads(limit: 1)

    /// - Parameters:
    ///   - bytes: The most bytes at a time.
    ///   - name: The name that no two requests at a time may share; `nil` for none.
    ///   - execute: Gives a result for each request, or throws the failure of all.
    package init(
        count: Int = .max, bytes: Int = .max,
        size: @escaping @Sendable (Request) -> Int = { _ in 0 },
        name: @escaping @Sendable (Request) -> String? = { _ in nil },
        execute: @escaping @Sendable ([Request]) throws -> [Result<Answer, any Error>]
    ) {
        self.count = count
        self.bytes = bytes
        self.size = size
        self.name = name
        self.execute = execute
    }

    package func answer(_ request: Request) async throws -> Answer {
        try await withCheckedThrowingContinuation { caller in
            let isFirst = state.withLock { state in
                state.waiting.append(Job(request: request, caller: caller))
                defer { state.isExecuting = true }
                return !state.isExecuting
            }
            // A separate task, so that the cancellation of a caller leaves nothing in doubt.
            if isFirst { Task(executorPreference: thread) { self.executeAll() } }
        }
    }

    private func executeAll() {
        while true {
            let jobs = state.withLock { state in
                assert(state.isExecuting)
                let jobs = take(from: &state.waiting)
                state.isExecuting = !jobs.isEmpty
                return jobs
            }
            if jobs.isEmpty { return }
            do {
                let results = try execute(jobs.map(\.request))
                assert(results.count == jobs.count)
                for (job, result) in zip(jobs, results) { job.caller.resume(with: result) }
            } catch {
                for job in jobs { job.caller.resume(throwing: error) }
            }
        }
    }

    /// Takes the first requests that go together.
    private func take(from waiting: inout [Job]) -> [Job] {
        var names = Set<String>()
        var bytes = 0
        var (taken, left): ([Job], [Job]) = ([], [])
        for job in waiting {
            let (size, name) = (size(job.request), name(job.request))
            let fits = taken.isEmpty || taken.count < count && bytes + size <= self.bytes
            guard fits, name.map(names.contains) != true else {
                left.append(job)
                continue
            }
            if let name { names.insert(name) }
            taken.append(job)
            bytes += size
        }
        assert(taken.count + left.count == waiting.count)
        // The first always fits, or the queue would stop with it.
        assert(!taken.isEmpty || waiting.isEmpty)
        waiting = left
        return taken
    }
}
