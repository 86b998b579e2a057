import PlainValue
import Synchronization
import WorkflowKit

/// The effects in a session that are not stored yet, in order.
final class PendingNews: Sendable {
    /// A change of the timeline, with the session's own step numbers.
    enum Change {
        case input(FlowInput, step: Int)
        case moved(step: Int, of: Int)
    }

    private struct State {
        var changes: [Change] = []
        var events: [FlowEvent] = []
        var outputs: [SessionNews.StepOutputs] = []
        /// The outputs since the last input.
        var newOutputs: [Value] = []
        var isServed = false
    }

    private let state = Mutex(State())
    /// Signals effects outside of calls. Ends when the session is released.
    let news: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation

    init() { (news, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    deinit { wakeUp.finish() }

    func add(_ input: FlowInput, step: Int) {
        change { state in
            state.changes.append(.input(input, step: step))
            // An input is reported after its effects.
            if !state.newOutputs.isEmpty {
                state.outputs.append(.init(step: step, outputs: state.newOutputs))
                state.newOutputs = []
            }
        }
    }

    func add(_ event: FlowEvent) {
        change { state in
            if case .moved(let step, let count, _) = event.kind {
                state.changes.append(.moved(step: step, of: count))
            }
            if case .output(let output) = event.kind { state.newOutputs.append(output) }
            state.events.append(event)
        }
    }

    /// While calls run and take the effects, no signal is sent.
    func setServed(_ isServed: Bool) {
        state.withLock { state in
            assert(state.isServed != isServed)
            state.isServed = isServed
        }
    }

    var hasChanges: Bool { state.withLock { !$0.changes.isEmpty } }

    func removeChanges() -> [Change] { remove(\.changes) }

    func removeEvents() -> [FlowEvent] { remove(\.events) }

    func removeOutputs() -> [SessionNews.StepOutputs] { remove(\.outputs) }

    private func remove<News: Sendable>(_ news: WritableKeyPath<State, [News]>) -> [News] {
        state.withLock { state in
            defer { state[keyPath: news] = [] }
            return state[keyPath: news]
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let isServed = state.withLock { state in
            body(&state)
            return state.isServed
        }
        if !isServed { wakeUp.yield() }
    }
}
