package import PlainValue
import Timers
package import WorkerKit
package import Workflow
package import WorkflowPlugins

/// A session with workers, and a host that runs one of them.
package actor Stage {
    package let session: WorkerSession
    private var host: WorkflowHost<Runner>?
    private var finish: @Sendable () -> Void = {}
    package private(set) var count = 0
    package init(_ session: WorkerSession) { self.session = session }

    package init(_ plugin: Plugin, allowing grants: [String], in folder: String? = nil) throws {
        session = WorkerSession(
            registry: try WorkerRegistry([plugin]), grants: try Grants(grants, in: folder))
    }

    /// Starts a worker and returns a stream of its outputs, which ends with it.
    package func start(
        _ name: String, _ input: Value = [:], clock: any Clock<Duration> = TimerClock()
    ) throws -> AsyncThrowingStream<Value, any Error> {
        let (stream, continuation) = AsyncThrowingStream<Value, any Error>.makeStream()
        // Keeps the stage alive for a test that only reads the stream.
        continuation.onTermination = { _ in withExtendedLifetime(self) {} }
        finish = { continuation.finish() }
        try run(name, input, clock) { event in
            switch event {
            case .output(let output): continuation.yield(output.value)
            case .failed(let error): continuation.finish(throwing: error)
            case .finished: continuation.finish()
            case .started, .cancelled, .abandoned: break
            }
        }
        return stream
    }

    package func events(
        _ name: String, _ input: Value = [:], clock: any Clock<Duration> = TimerClock()
    ) throws -> AsyncStream<WorkerEvent<Value, WorkerError>> {
        let (stream, continuation) = AsyncStream<WorkerEvent<Value, WorkerError>>.makeStream()
        continuation.onTermination = { _ in withExtendedLifetime(self) {} }
        finish = { continuation.finish() }
        try run(name, input, clock) { event in
            continuation.yield(event.map(output: \.value, failure: { WorkerError(describing: $0) }))
        }
        return stream
    }

    private func run(
        _ name: String, _ input: Value, _ clock: any Clock<Duration>,
        _ report: @escaping @Sendable (Runner.Output) -> Void
    ) throws {
        var options = HostOptions()
        options.workerExecutor = WorkerThreads.shared
        options.clock = clock
        let runner = Runner(worker: try session.declare(name, input: input))
        let host = WorkflowHost(workflow: runner, options: options)
        host.onOutput = { [unowned self] event in
            assumeIsolated { $0.count += 1 }
            report(event)
        }
        self.host = host
        // Only now, because a worker may be faster than the line above that listens.
        declare(true)
    }

    /// Declares the worker, or no longer does, which cancels it.
    package func declare(_ isDeclared: Bool) { host?.rendering.send(.declare(isDeclared)) }

    /// Ends the host, which cancels the worker and after which no event comes.
    package func shutDown() {
        host?.shutDown()
        host = nil
        finish()
    }
}

private struct Runner: Workflow {
    typealias Rendering = Sink<Act>
    typealias Output = WorkerEvent<WorkerOutput, any Error>
    let worker: GrantedWorker

    struct State: Equatable { var isDeclared = false }

    enum Act: WorkflowAction, Sendable {
        case declare(Bool)
        case report(Output)

        func apply(toState state: inout State, context: ApplyContext<Runner>) -> Output? {
            switch self {
            case .declare(let isDeclared):
                state.isDeclared = isDeclared
                return nil
            case .report(let event): return event
            }
        }
    }

    func makeInitialState() -> State { State() }

    func render(state: State, context: RenderContext<Runner>) -> Sink<Act> {
        if state.isDeclared {
            worker.asEvents().running(in: context, key: "worker") { Act.report($0) }
        }
        return context.makeSink(of: Act.self)
    }
}
