import PlainValue
import Synchronization
package import WorkflowKit

/// Records the events of a session.
package final class EventRecorder: Sendable {
    private let events = Mutex<[FlowEvent]>([])

    package init() {}

    package var note: @Sendable (FlowEvent) -> Void {
        { event in self.events.withLock { $0.append(event) } }
    }

    package var all: [FlowEvent] { events.withLock { $0 } }
    package var types: [String] { all.compactMap { $0.record["type"]?.string } }
    package var errors: [FlowEvent] { all.filter { $0.record["type"] == "error" } }
}
