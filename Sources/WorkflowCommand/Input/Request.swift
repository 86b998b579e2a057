import PlainValue
import WorkflowLua

/// A request of the JSON protocol, read and checked.
enum Request {
    private static let verbs = [
        "goto", "props", "quit", "redo", "reload", "send", "snapshot", "undo",
    ]

    case quit, undo, redo, reload, snapshot
    case go(step: Int)
    case props(Value)
    case send(Value, node: String?)
    case sink(Value, fields: Value.Record)

    init(_ value: Value) throws(FlowError) {
        guard case .string(let verb)? = value["do"] else {
            throw FlowError(
                .badRequest, "a request is an object with a \"do\"",
                help: "\"do\" is one of \(Self.verbs.joined(separator: ", "))")
        }
        switch verb {
        case "quit": self = .quit
        case "undo": self = .undo
        case "redo": self = .redo
        case "reload": self = .reload
        case "snapshot": self = .snapshot
        case "goto":
            guard let step = try value.field("step", "a whole number", \.int) else {
                throw FlowError(
                    .badRequest, "a goto has a \"step\"",
                    help: "such as {\"id\":1,\"do\":\"goto\",\"step\":0}")
            }
            self = .go(step: step)
        case "props":
            guard let props = value["props"] else {
                throw FlowError(
                    .badRequest, "a props has \"props\"",
                    help: "such as {\"id\":1,\"do\":\"props\",\"props\":{\"name\":\"you\"}}")
            }
            self = .props(props)
        case "send":
            if let sink = value["sink"] {
                let fields = try value.field("with", "an object", \.record)
                self = .sink(sink, fields: fields ?? [:])
            } else if let action = value["action"] {
                let node = try value.field("node", "the path of a node", \.string)
                self = .send(action, node: node)
            } else {
                throw FlowError(
                    .badRequest, "a send has an \"action\" or a \"sink\"",
                    help: "such as {\"id\":1,\"do\":\"send\",\"action\":{\"type\":\"add\"}}")
            }
        default:
            throw FlowError(
                .badRequest,
                "there is no request '\(verb)'"
                    + suggestion(for: verb, among: Self.verbs, noun: "names"))
        }
    }
}

extension Value {
    /// A field that may be missing, but not be of another kind.
    fileprivate func field<T>(
        _ name: String, _ expected: String, _ read: (Value) -> T?
    ) throws(FlowError) -> T? {
        guard let value = self[name] else { return nil }
        guard let result = read(value) else {
            throw FlowError(.badRequest, "\"\(name)\" must be \(expected), not \(value.kind)")
        }
        return result
    }
}
