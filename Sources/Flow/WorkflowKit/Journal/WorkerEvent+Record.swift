import PlainValue
import WorkerKit
import Workflow
import WorkflowLua

extension WorkerNews.Event {
    /// Reads the event from a record of the protocol; `nil` for an unknown event.
    init?(_ record: Value) {
        switch record["phase"]?.string {
        case "started": self = .started
        case "output": self = .output(record["output"] ?? .null)
        case "finished": self = .finished
        case "failed":
            self = .failed(
                WorkerError(
                    record["error"]?["code"]?.string ?? "failed",
                    record["error"]?["message"]?.string ?? "",
                    help: record["error"]?["help"]?.string))
        case "cancelled": self = .cancelled
        case "abandoned": self = .abandoned
        default: return nil
        }
    }
}
