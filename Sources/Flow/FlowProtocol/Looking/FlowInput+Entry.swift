import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

extension FlowInput {
    private static let longestText = 120

    func entry(step: Int, hiding secrets: SecretTexts) -> Value {
        var record: Value.Record = [
            "step": .int(step), "at": .int(milliseconds), "title": .string(title),
        ]
        switch secrets.hiding(self).kind {
        case .action(let action, let node):
            record["kind"] = "action"
            record["node"] = .string(node.description)
            record["text"] = .string(action.actionText)
        case .worker(let news):
            record["kind"] = "worker"
            record["node"] = .string(news.node.description)
            record["text"] = .string(news.stepText)
        case .props(let props):
            record["kind"] = "props"
            record["text"] = .string(props.summary(maxLength: Self.longestText))
        }
        if let principal { record["by"] = .string(principal) }
        return .record(record)
    }
}
