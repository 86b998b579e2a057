import Synchronization
import WorkflowKit

/// The events of a session that were not taken yet, and a recording of all events.
package final class SessionFeed: Sendable {
    package struct Item: Sendable {
        let event: FlowEvent
        let place: Range<Int>?

        var isError: Bool { if case .error = event.kind { true } else { false } }
    }

    let recording: ScratchRecording?
    private struct State {
        var items: [Item] = []
        /// The number of items before the last reply; `nil` if none has come since they were taken.
        var completeCount: Int?
    }

    private let state = Mutex(State())
    private let onNews: @Sendable () -> Void

    /// - Parameter onNews: Called on the session when the feed was empty and gets an event.
    init(isKept: Bool = true, onNews: @escaping @Sendable () -> Void) {
        recording = isKept ? ScratchRecording() : nil
        self.onNews = onNews
    }

    func add(_ event: FlowEvent) {
        let item = Item(event: event, place: recording?.append(event))
        let isFirst = state.withLock { state in
            state.items.append(item)
            return state.items.count == 1
        }
        if isFirst { onNews() }
    }

    /// Notes that a reply has come: the session has processed all inputs before it.
    func replyCame() { state.withLock { $0.completeCount = $0.items.count } }

    func removeAll() -> [Item] { removeAllWithCount().items }

    /// Takes the events, and the number of those before the last reply, if one has come.
    func removeAllWithCount() -> (items: [Item], completeCount: Int?) {
        state.withLock { state in
            assert(state.completeCount ?? 0 <= state.items.count)
            defer { state = State() }
            return (state.items, state.completeCount)
        }
    }
}
