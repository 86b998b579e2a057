import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

extension FlowInput {
    /// The most characters of the text of an entry.
    private static let longestText = 120

    /// The input in a line, as the steps of a session are listed.
    func entry(step: Int, secrets: Set<String>) -> Value {
        var record: Value.Record = [
            "step": .int(step), "at": .int(milliseconds), "title": .string(title),
        ]
        switch kind {
        case .action(let action, let node):
            record["kind"] = "action"
            record["node"] = .string(node.description)
            record["text"] = .string(action.redacting(secrets).actionText)
        case .worker(var news):
            if case .output(let output) = news.event {
                news.event = .output(output.redacting(secrets))
            }
            record["kind"] = "worker"
            record["node"] = .string(news.node.description)
            record["text"] = .string(news.stepText)
        case .props(let props):
            record["kind"] = "props"
            record["text"] = .string(
                props.redacting(secrets).summary(maxLength: Self.longestText))
        }
        if let principal { record["by"] = .string(principal) }
        return .record(record)
    }
}
