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
        var isServed = false
    }

    private let state = Mutex(State())
    /// Says that something came by itself. Ends when the session that writes to it is released.
    let news: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation

    init() { (news, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    deinit { wakeUp.finish() }

    func add(_ input: FlowInput, step: Int) {
        change { $0.changes.append(.input(input, step: step)) }
    }

    func add(_ event: FlowEvent) {
        change { state in
            if case .moved(let step, _) = event.kind { state.changes.append(.moved(step: step)) }
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

    private func change(_ body: (inout State) -> Void) {
        let isServed = state.withLock { state in
            body(&state)
            return state.isServed
        }
        if !isServed { wakeUp.yield() }
    }
}
