import PlainValue
import Synchronization
import WorkflowKit

/// Records the events of a session.
final class EventRecorder: Sendable {
    private let events = Mutex<[FlowEvent]>([])

    var note: @Sendable (FlowEvent) -> Void {
        { event in self.events.withLock { $0.append(event) } }
    }

    var all: [FlowEvent] { events.withLock { $0 } }
    var types: [String] { all.compactMap { $0.record["type"]?.string } }
    var errors: [FlowEvent] { all.filter { $0.record["type"] == "error" } }
}
