import Synchronization
import Workflow

/// An executor whose jobs run one by one when a test allows it.
final class SteppedExecutor: SerialExecutor {
    private struct Contents {
        var jobs: [UnownedJob] = []
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let contents = Mutex(Contents())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let waiter = contents.withLock { contents in
            contents.jobs.append(job)
            return contents.waiter.take()
        }
        waiter?.resume()
    }

    /// Waits for a job and runs the oldest one. Only for one test at a time.
    func runNext() async {
        await withCheckedContinuation { continuation in
            let isReady = contents.withLock { contents in
                if contents.jobs.isEmpty { contents.waiter = continuation }
                return !contents.jobs.isEmpty
            }
            if isReady { continuation.resume() }
        }
        let job = contents.withLock { $0.jobs.removeFirst() }
        job.runSynchronously(on: asUnownedSerialExecutor())
    }
}

actor SteppedActor<W: Workflow> {
    nonisolated private let executor: SteppedExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private var host: WorkflowHost<W>?

    init(_ executor: SteppedExecutor) { self.executor = executor }

    func start(
        _ workflow: sending W, options: sending HostOptions = HostOptions(),
        _ body: @Sendable (WorkflowHost<W>) -> Void
    ) {
        let host = WorkflowHost(workflow: workflow, options: options)
        self.host = host
        body(host)
    }

    func perform(_ body: @Sendable (WorkflowHost<W>) -> Void) { if let host { body(host) } }
}
