public import PlainValue
import Workflow
public import WorkflowKit
import WorkflowLua

/// A step that was tried in a state of a flow.
public struct ExploredStep: Sendable, Hashable {
    /// The inputs: one, or an output of a worker and its end.
    public var inputs: [FlowInput.Kind]
    /// The path of the sink in the rendering; `nil` for other inputs.
    public var sink: ValuePath?
    /// The fields that were added to the sink's action.
    public var fields: Value.Record = [:]
    /// True if it is an action of the root that was tried without fields, which it may need.
    public var isGuess = false
    /// True if it is a failure of a worker that nothing but
    /// ``FlowExplorationOptions/failsWorkers`` asks for.
    public var isInjected = false

    /// The step in words: `add { text = "milk" }`, `rows[1].toggle` or `http.get finishes`.
    public var title: String {
        if let sink {
            return fields.isEmpty
                ? sink.description
                : "\(sink) \(Value.record(fields).summary(maxLength: 120))"
        }
        return inputs.first.map(Self.title) ?? ""
    }

    /// The step without its values: `add`, `toggle`, `http.get gives`.
    public var name: String {
        switch inputs.first {
        case .action(let action, _)?: action["type"]?.string ?? title
        case .worker(let news)?:
            switch news.event {
            case .output: "\(news.worker) gives"
            case .failed: "\(news.worker) fails"
            case .started, .finished, .cancelled, .abandoned: "\(news.worker) \(news.event.name)"
            }
        case .props?: "props"
        case nil: ""
        }
    }

    private static func title(_ input: FlowInput.Kind) -> String {
        switch input {
        case .action(let action, _): action.actionText
        case .props(let props): "props \(props.summary(maxLength: 120))"
        case .worker(let news): news.stepText
        }
    }
}
