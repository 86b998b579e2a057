import PlainValue
import WorkflowLua

/// A request of the JSON protocol, read and checked.
enum Request {
    private static let verbs = ["quit", "send"]

    case quit
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
