import PlainValue
import Synchronization
import HTTP
import WorkerKit
import Workflow
import WorkflowPlugins

/// Declares one worker from the start, and hands on what comes of it.
private struct Runner: Workflow {
    typealias Output = Result<WorkerDelivery, any Error>
    let worker: DeclaredWorker

    struct State: Equatable {}

    enum Act: WorkflowAction, Sendable {
        typealias WorkflowType = Runner
        case report(Result<WorkerDelivery, any Error>)

        func apply(toState state: inout State) -> Output? {
            switch self {
            case .report(let result): result
            }
        }
    }

    func makeInitialState() -> State { State() }

    func render(state: State, context: RenderContext<Runner>) {
        worker.asResult().running(in: context, key: "worker") { Act.report($0) }
    }
}

/// A session with the plugin, and a host that runs one worker of it.
actor Stage {
    let session: WorkerSession
    private var host: WorkflowHost<Runner>?
    private var results: AsyncThrowingStream<Value, any Error>.Continuation?

    init(allowing grants: [String], in folder: String? = nil) throws {
        session = WorkerSession(
            registry: try WorkerRegistry([HTTPPlugin.plugin]),
            grants: Grants(try grants.map { try Grant(parsing: $0) }, folder: folder))
    }

    /// Starts a worker; its outputs are in the stream, which ends when it does.
    func start(
        _ name: String, _ input: Value, clock: any Clock<Duration> = ContinuousClock()
    ) throws -> AsyncThrowingStream<Value, any Error> {
        let worker = try session.declare(name, input: input, reportsFinish: true)
        let (stream, continuation) = AsyncThrowingStream<Value, any Error>.makeStream()
        // So that a test which only reads the stream keeps the stage alive.
        continuation.onTermination = { _ in withExtendedLifetime(self) {} }
        results = continuation
        var configuration = HostConfiguration()
        configuration.workerExecutor = WorkerThreads.shared
        configuration.clock = clock
        let host = WorkflowHost(workflow: Runner(worker: worker), configuration: configuration)
        host.onOutput = { result in
            switch result {
            case .failure(let error): continuation.finish(throwing: error)
            case .success(let delivery):
                switch delivery.content {
                case .output(let value): continuation.yield(value)
                case .finished: continuation.finish()
                }
            }
        }
        self.host = host
        return stream
    }

    /// Ends the host, which cancels the worker.
    func shutDown() {
        host?.shutDown()
        host = nil
        results?.finish()
    }
}

/// A clock on which every wait lasts until the gate is opened, and from then on takes no time.
final class Gate: Clock, Sendable {
    typealias Instant = ContinuousClock.Instant

    private struct State {
        var now = ContinuousClock().now
        var isOpen = false
        var waiting: [Latch] = []
    }

    private let state = Mutex(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            return state.waiting
        }
        for latch in waiting { latch.open() }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let latch = Latch()
        let isOpen = state.withLock { state in
            state.waiting.append(latch)
            return state.isOpen
        }
        if !isOpen { await latch.wait() }
        try Task.checkCancellation()
        state.withLock { $0.now = max($0.now, deadline) }
    }
}

/// Runs a worker to its end, and gives its outputs.
func run(
    _ name: String, _ input: Value, allowing grants: [String],
    clock: any Clock<Duration> = ContinuousClock()
) async throws -> [Value] {
    var outputs: [Value] = []
    let stage = try Stage(allowing: grants)
    for try await output in try await stage.start(name, input, clock: clock) {
        outputs.append(output)
    }
    return outputs
}

/// The error of a run.
func failure(_ work: () async throws -> some Any) async -> WorkerError? {
    do {
        _ = try await work()
        return nil
    } catch {
        return WorkerError(describing: error)
    }
}
