import Synchronization
import Workflow

final class WorkerLog: Sendable {
    private let lines = Mutex<[String]>([])

    func note(_ line: String) { lines.withLock { $0.append(line) } }

    func take() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }
}

struct Waiting: Worker {
    var name: String
    var seconds = 1
    var log: WorkerLog
    var failure: TestError?

    func run() async throws -> String {
        log.note("\(name) started")
        do {
            try await WorkerClock.sleep(for: .seconds(seconds))
        } catch {
            log.note("\(name) cancelled")
            throw error
        }
        log.note("\(name) finished")
        if let failure { throw failure }
        return name
    }

    func isEquivalent(to otherWorker: Waiting) -> Bool { name == otherWorker.name }
}

/// Counts down, one a second.
struct Countdown: StreamingWorker, Equatable {
    var from: Int

    func run() -> AsyncThrowingStream<Int, any Error> {
        AsyncThrowingStream { continuation in
            for number in (0...from).reversed() { continuation.yield(number) }
            continuation.finish(throwing: TestError("lift-off"))
        }
    }
}

struct Board: Workflow {
    struct Rendering {
        var texts: [String]
        var sink: Sink<Action>
    }

    struct State: Equatable {
        var mode = 0
        var texts: [String] = []
    }

    enum Action: WorkflowAction, Sendable {
        case mode(Int)
        case text(String)

        func apply(toState state: inout State, context: ApplyContext<Board>) -> Never? {
            switch self {
            case .mode(let mode): state.mode = mode
            case .text(let text): state.texts.append(text)
            }
            return nil
        }
    }

    let body: (Int, RenderContext<Board>) -> Void

    init(_ body: @escaping (Int, RenderContext<Board>) -> Void) { self.body = body }

    func makeInitialState() -> State { State() }

    func render(state: State, context: RenderContext<Board>) -> Rendering {
        body(state.mode, context)
        return Rendering(texts: state.texts, sink: context.makeSink(of: Action.self))
    }
}

struct Leaking: EmittingWorker {
    typealias Output = String
    let onStart: @Sendable (WorkerSink<String>) -> Void

    func run(into sink: WorkerSink<String>) async throws {
        onStart(sink)
        try await WorkerClock.sleep(for: .seconds(1_000_000))
    }

    func isEquivalent(to otherWorker: Leaking) -> Bool { true }
}

final class SinkBox: @unchecked Sendable {
    // The test uses it from one task at a time.
    var sink: WorkerSink<String>?
}

final class DropObserver: WorkflowObserver {
    var reports: [String] = []
    func didReport(_ report: WorkflowReport) { reports.append("\(report)") }
}
