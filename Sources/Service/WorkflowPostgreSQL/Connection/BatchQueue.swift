import Synchronization
import WorkerKit

/// Executes requests on a thread that waits for the database, all that arrived meanwhile at once.
final class BatchQueue<Request: Sendable, Answer: Sendable>: Sendable {
    /// The bounds of one statement.
    struct Bounds: Sendable {
        let count: Int
        var bytes = Int.max
        /// The size of a request.
        var size: @Sendable (Request) -> Int = { _ in 0 }
        /// The name that no two requests of a statement may share; `nil` for none.
        var name: @Sendable (Request) -> String? = { _ in nil }
    }

    private struct Job: Sendable {
        let request: Request
        let caller: CheckedContinuation<Answer, any Error>
    }

    private struct State {
        var waiting: [Job] = []
        var isExecuting = false
    }

    private let bounds: Bounds
    private let execute: @Sendable ([Request]) throws -> [Result<Answer, any Error>]
    private let state = Mutex(State())
    private let thread = WorkerThreads(limit: 1)

    /// - Parameter execute: Gives a result for each request, or throws the failure of all.
    init(
        _ bounds: Bounds,
        execute: @escaping @Sendable ([Request]) throws -> [Result<Answer, any Error>]
    ) {
        self.bounds = bounds
        self.execute = execute
    }

    /// Waits for the answer to a request.
    func answer(_ request: Request) async throws -> Answer {
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

    /// Takes the first requests that go into one statement.
    private func take(from waiting: inout [Job]) -> [Job] {
        var names = Set<String>()
        var bytes = 0
        var (taken, left): ([Job], [Job]) = ([], [])
        for job in waiting {
            let size = bounds.size(job.request)
            let fits =
                taken.isEmpty || taken.count < bounds.count && bytes + size <= bounds.bytes
            let isAlone = bounds.name(job.request).map(names.contains) != true
            guard fits, isAlone else {
                left.append(job)
                continue
            }
            bounds.name(job.request).map { _ = names.insert($0) }
            taken.append(job)
            bytes += size
        }
        assert(taken.count + left.count == waiting.count)
        waiting = left
        return taken
    }
}
