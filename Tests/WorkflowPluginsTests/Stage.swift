import PlainValue
import Workflow
import WorkerKit
import WorkflowPlugins

/// An event of a worker.
typealias Event = WorkerEvent<Value, WorkerError>

/// Declares one worker or none, and passes on its events.
struct Runner: Workflow {
    typealias Rendering = Sink<Act>
    typealias Output = Event

    let session: WorkerSession
    let name: String
    let input: Value

    struct State: Equatable {
        var isDeclared = false
    }

    enum Act: WorkflowAction, Sendable {
        typealias WorkflowType = Runner
        case declare(Bool)
        case event(Event)

        func apply(toState state: inout State) -> Event? {
            switch self {
            case .declare(let isDeclared):
                state.isDeclared = isDeclared
                return nil
            case .event(let event): return event
            }
        }
    }

    func makeInitialState() -> State { State() }

    func render(state: State, context: RenderContext<Runner>) -> Sink<Act> {
        if state.isDeclared {
            do throws(WorkerError) {
                try session.declare(name, input: input).asEvents()
                    .running(in: context, key: name) { event in
                        Act.event(
                            event.map(output: \.value, failure: { WorkerError(describing: $0) }))
                    }
            } catch {
                context.fail(error)
            }
        }
        return context.makeSink(of: Act.self)
    }
}

/// An actor with a host, like a session.
actor Stage {
    let session: WorkerSession
    private var host: WorkflowHost<Runner>?
    private var events: AsyncStream<Event>.Continuation?
    private(set) var count = 0

    init(session: WorkerSession) { self.session = session }

    /// Starts a worker and returns a stream of its events.
    func start(
        _ name: String, _ input: Value = [:], clock: any Clock<Duration> = ContinuousClock()
    ) -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream<Event>.makeStream()
        events = continuation
        // Keeps the stage alive for a test that only reads the stream.
        continuation.onTermination = { _ in withExtendedLifetime(self) {} }
        var configuration = HostConfiguration()
        configuration.workerExecutor = WorkerThreads.shared
        configuration.clock = clock
        let host = WorkflowHost(
            workflow: Runner(session: session, name: name, input: input),
            configuration: configuration)
        host.onOutput = { [unowned self] event in
            assumeIsolated { $0.count += 1 }
            continuation.yield(event)
        }
        self.host = host
        // Only now, because a worker may be faster than the line above that listens.
        declare(true)
        return stream
    }

    func declare(_ isDeclared: Bool) { host?.rendering.send(.declare(isDeclared)) }

    /// Ends the host, after which no event comes.
    func shutDown() {
        host?.shutDown()
        host = nil
        events?.finish()
    }
}

extension AsyncStream where Element == Event {
    /// The next events.
    func first(_ count: Int) async -> [Event] {
        var events: [Event] = []
        for await event in self {
            events.append(event)
            if events.count == count { break }
        }
        return events
    }
}
