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
    private let items = Mutex<[Item]>([])
    private let onNews: @Sendable () -> Void

    /// - Parameters:
    ///   - isKept: False for no recording.
    ///   - onNews: Called on the session when the feed was empty and gets an event.
    init(isKept: Bool = true, onNews: @escaping @Sendable () -> Void) {
        recording = isKept ? ScratchRecording() : nil
        self.onNews = onNews
    }

    func add(_ event: FlowEvent) {
        let item = Item(event: event, place: recording?.append(event))
        let isFirst = items.withLock { items in
            items.append(item)
            return items.count == 1
        }
        if isFirst { onNews() }
    }

    /// Takes the events.
    func removeAll() -> [Item] {
        items.withLock { items in
            defer { items = [] }
            return items
        }
    }
}
