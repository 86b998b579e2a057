import PlainValue
import Synchronization
import WorkflowKit

/// What happened in a session and is not kept yet, in order.
final class PendingNews: Sendable {
    /// A change of the timeline, with the steps counted as the session counts them.
    enum Change {
        case input(FlowInput, step: Int)
        case moved(step: Int)
    }

    private struct State {
        var changes: [Change] = []
        var events: [FlowEvent] = []
        var outputs: [SessionNews.StepOutputs] = []
        /// What was emitted since the last input.
        var newOutputs: [Value] = []
        var isServed = false
    }

    private let state = Mutex(State())
    /// Says that something came by itself. Ends when the session that writes to it is released.
    let news: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation

    init() { (news, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    deinit { wakeUp.finish() }

    func add(_ input: FlowInput, step: Int) {
        change { state in
            state.changes.append(.input(input, step: step))
            // An input is told after all that came of it.
            if !state.newOutputs.isEmpty {
                state.outputs.append(.init(step: step, outputs: state.newOutputs))
                state.newOutputs = []
            }
        }
    }

    func add(_ event: FlowEvent) {
        change { state in
            if case .moved(let step, _) = event.kind { state.changes.append(.moved(step: step)) }
            if case .output(let output) = event.kind { state.newOutputs.append(output) }
            state.events.append(event)
        }
    }

    /// While somebody serves the session and takes what comes, no wake-up is sent.
    func setServed(_ isServed: Bool) { state.withLock { $0.isServed = isServed } }

    func removeChanges() -> [Change] {
        state.withLock { state in
            defer { state.changes = [] }
            return state.changes
        }
    }

    func removeEvents() -> [FlowEvent] {
        state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }

    /// What each step has emitted since this was last called.
    func removeOutputs() -> [SessionNews.StepOutputs] {
        state.withLock { state in
            defer { state.outputs = [] }
            return state.outputs
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
