public import PlainValue
public import Timers
public import WorkerKit
import Workflow
public import WorkflowPlugins

/// A session with a plugin, and a host that runs one of its workers.
public actor Stage {
    /// The session with the plugin's workers.
    public let session: WorkerSession
    private var host: WorkflowHost<Runner>?
    private var results: AsyncThrowingStream<Value, any Error>.Continuation?

    /// A stage for the workers of a plugin, with grants.
    public init(_ plugin: Plugin, allowing grants: [String], in folder: String? = nil) throws {
        session = WorkerSession(
            registry: try WorkerRegistry([plugin]),
            grants: Grants(try grants.map { try Grant(parsing: $0) }, folder: folder))
    }

    /// Starts a worker and returns a stream of its outputs, which ends with it.
    public func start(
        _ name: String, _ input: Value, clock: any Clock<Duration> = TimerClock()
    ) throws -> AsyncThrowingStream<Value, any Error> {
        let worker = try session.declare(name, input: input)
        let (stream, continuation) = AsyncThrowingStream<Value, any Error>.makeStream()
        // Keeps the stage alive for a test that only reads the stream.
        continuation.onTermination = { _ in withExtendedLifetime(self) {} }
        results = continuation
        var configuration = HostConfiguration()
        configuration.workerExecutor = WorkerThreads.shared
        configuration.clock = clock
        let host = WorkflowHost(workflow: Runner(worker: worker), configuration: configuration)
        host.onOutput = { event in
            switch event {
            case .output(let output): continuation.yield(output.value)
            case .failed(let error): continuation.finish(throwing: error)
            case .finished: continuation.finish()
            case .started, .cancelled, .abandoned: break
            }
        }
        self.host = host
        return stream
    }

    /// Ends the host, which cancels the worker.
    public func shutDown() {
        host?.shutDown()
        host = nil
        results?.finish()
    }
}

/// Declares one worker from the start, and passes on its outputs.
private struct Runner: Workflow {
    typealias Output = WorkerEvent<WorkerOutput, any Error>
    let worker: GrantedWorker

    struct State: Equatable {}

    enum Act: WorkflowAction, Sendable {
        typealias WorkflowType = Runner
        case report(Output)

        func apply(toState state: inout State) -> Output? {
            switch self {
            case .report(let event): event
            }
        }
    }

    func makeInitialState() -> State { State() }

    func render(state: State, context: RenderContext<Runner>) {
        worker.asEvents().running(in: context, key: "worker") { Act.report($0) }
    }
}

/// The error of a run.
public func failure(_ work: () async throws -> some Any) async -> WorkerError? {
    do {
        _ = try await work()
        return nil
    } catch {
        return WorkerError(describing: error)
    }
}
