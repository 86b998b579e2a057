import FlowDebugging
import FlowREPL
import PlainValue
import Synchronization
import Workflow
import WorkflowKit
import WorkflowLua

/// A flow that is played while it is debugged. The external effects of its inputs wait until the
/// debugger continues.
final class LiveSubject: DebugSubject {
    private struct State {
        var news: [DebuggedInput] = []
        var header: FlowHeader?
        var steps = 0
        /// True if an error occurred since the last input.
        var hasFailed = false
        var printed: [(text: String, location: FlowError.Location?)] = []
        /// True if the flow was loaded and first rendered, or failed to.
        var hasBegun = false
        /// True if the rest of the given actions is skipped.
        var isInterrupted = false
        /// The error for which the flow accepts no actions.
        var refusal: FlowError?
    }

    private let source: FlowSource
    private let actions: [Value]
    private let session: FlowSession
    private let state: SharedState

    private final class SharedState: Sendable {
        let state = Mutex(State())
        let onNews: Mutex<(@Sendable () -> Void)?> = Mutex(nil)

        func tell() { onNews.withLock { $0 }?() }
    }

    init(_ source: FlowSource, _ options: FlowOptions, actions: [Value]) {
        let state = SharedState()
        var options = options
        options.onInput = { input, step in
            state.state.withLock {
                $0.news.append(DebuggedInput(input, isFailure: $0.hasFailed))
                $0.steps = step
                $0.hasFailed = false
            }
            state.tell()
        }
        self.source = source
        self.actions = actions
        self.state = state
        session = FlowSession(options: options) { event in
            switch event.kind {
            case .ready(let header): state.state.withLock { $0.header = header }
            case .error: state.state.withLock { $0.hasFailed = true }
            case .log(_, let message, let location):
                state.state.withLock { $0.printed.append((message, location)) }
                state.tell()
            default: break
            }
        }
    }

    var isLive: Bool { true }
    var ending: String? { nil }

    var rendering: Value? { get async { await session.rendering } }

    /// Sets the function to call, on any thread, when ``takeNews(isPause:)`` returns something.
    func onNews(_ body: @escaping @Sendable () -> Void) { state.onNews.withLock { $0 = body } }

    func begin(
        isHurried: @escaping @Sendable () -> Bool
    ) async throws -> (recording: FlowRecording, source: FlowSource) {
        do throws(FlowError) {
            try await session.start(source)
        } catch {
            // A flow that fails its first rendering can be inspected, unless it never ends.
            guard error.code != .interrupted, state.state.withLock({ $0.header }) != nil
            else { throw error }
            state.state.withLock { $0.refusal = FlowError(.nothingShown) }
        }
        state.state.withLock { $0.hasBegun = true }
        for action in actions where state.state.withLock({ !$0.isInterrupted && $0.refusal == nil })
        {
            // The news tell of what fails.
            switch action {
            case .string(let typed): try? await send(typed)
            default: try? await play(action, nil)
            }
        }
        guard let header = state.state.withLock({ $0.header }) else {
            throw FlowError(.nothingLoaded)
        }
        return (FlowRecording(header: header), source)
    }

    func takeNews(isPause: Bool) -> [DebuggedInput] {
        state.state.withLock { state in
            defer { state.news = [] }
            return state.news
        }
    }

    func takePrinted() -> [(text: String, location: FlowError.Location?)] {
        state.state.withLock { state in
            defer { state.printed = [] }
            return state.printed
        }
    }

    func send(_ typed: String) async throws {
        if let refusal = state.state.withLock(\.refusal) { throw refusal }
        switch try await TypedAction(typed, in: session) {
        case .action(let action): try await play(action, nil)
        case .sink(let sink, let fields):
            var action = sink["$sink"]?["action"]?.record ?? [:]
            for (name, value) in fields where name != "type" { action[name] = value }
            try await play(.record(action), sink["$sink"]?["node"]?.string)
        }
    }

    private func play(_ action: Value, _ node: String?) async throws(FlowError) {
        let before = state.state.withLock { $0.steps }
        do throws(FlowError) {
            try await session.send(action, to: session.path(node))
        } catch {
            // An applied action is in the news already, even if it could not be rendered.
            guard state.state.withLock({ $0.steps }) == before else { throw error }
            let path = node.flatMap { NodePath($0) }
            let root = NodePath([.init(name: await session.name)])
            let input = FlowInput(
                .action(action, node: path ?? root), milliseconds: FlowOptions.wallClock())
            let isInterrupted = error.code == .interrupted || error.code == .timeLimit
            state.state.withLock {
                $0.news.append(DebuggedInput(input, isInterrupted: isInterrupted, isFailure: true))
                $0.hasFailed = false
            }
            throw error
        }
    }

    func release() async {
        let steps = state.state.withLock { $0.steps }
        await session.confirm(through: steps)
    }

    func interrupt(isPause: Bool) {
        let stops = state.state.withLock {
            $0.isInterrupted = true
            return $0.hasBegun || !isPause
        }
        if stops { session.interrupt() }
    }

    func close() async { await session.close() }
}
