import Synchronization
import WorkflowKit

/// The events of a session that nobody has been told of yet, and a recording of all of them.
package final class SessionFeed: Sendable {
    package struct Item: Sendable {
        let event: FlowEvent
        /// Its place in the recording.
        let place: Range<Int>?

        var isError: Bool { if case .error = event.kind { true } else { false } }
    }

    let recording: ScratchRecording?
    private let items = Mutex<[Item]>([])
    private let onNews: @Sendable () -> Void

    /// - Parameters:
    ///   - isKept: False if there is to be no recording.
    ///   - onNews: Called on the session when there are events where there were none.
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

    /// Gives out the events since this was last called.
    func removeAll() -> [Item] {
        items.withLock { items in
            defer { items = [] }
            return items
        }
    }
}
