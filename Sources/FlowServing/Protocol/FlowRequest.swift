import PlainValue
import WorkflowKit
import WorkflowLua

/// A request of the JSON protocol, read and checked.
enum FlowRequest {
    private static let verbs = [
        "branch", "eval", "goto", "interrupt", "log", "nodes", "patches", "props", "quit", "redo",
        "reload", "rendering", "send", "snapshot", "status", "timeline", "undo", "why",
    ]

    case quit, undo, redo, branch, snapshot, interrupt, status, nodes
    case go(step: Int)
    case patches(isOn: Bool)
    case rendering(step: Int?)
    case timeline(tellsChanges: Bool)
    case reload(ReloadPolicy)
    case props(Value)
    case send(Value, node: String?)
    case sink(Value, fields: Value.Record)
    case eval(String, names: [(String, Value)])
    case why(ValuePath)
    case whyNode(String)
    case log([LogPoint], first: Int, last: Int?)
    case logRendering([LogPoint])

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
        case "branch": self = .branch
        case "reload":
            let replays = try value.field("replay", "true or false", \.bool) ?? false
            self = .reload(replays ? .replayingInputs : .keepingState)
        case "snapshot": self = .snapshot
        case "interrupt": self = .interrupt
        case "status": self = .status
        case "nodes": self = .nodes
        case "patches":
            self = .patches(isOn: try value.field("on", "true or false", \.bool) ?? true)
        case "timeline":
            self = .timeline(
                tellsChanges: try value.field("changes", "true or false", \.bool) ?? false)
        case "rendering":
            self = .rendering(step: try value.field("step", "a whole number", \.int))
        case "goto":
            guard let step = try value.field("step", "a whole number", \.int) else {
                throw FlowError(
                    .badRequest, "a goto has a \"step\"",
                    help: "such as {\"id\":1,\"do\":\"goto\",\"step\":0}")
            }
            self = .go(step: step)
        case "props":
            guard let props = try value.field("props", "an object", { $0.record.map(Value.record) })
            else {
                throw FlowError(
                    .badRequest, "a props has \"props\"",
                    help: "such as {\"id\":1,\"do\":\"props\",\"props\":{\"name\":\"you\"}}")
            }
            self = .props(props)
        case "send": self = try Self.send(value)
        case "eval":
            guard let expression = try value.field("expression", "a text", \.string) else {
                throw FlowError(
                    .badRequest, "an eval has an \"expression\"",
                    help: "such as {\"id\":1,\"do\":\"eval\",\"expression\":\"#state.items\"}")
            }
            let names = try value.field("where", "an object", \.record) ?? [:]
            self = .eval(expression, names: names.map { ($0.key, $0.value) })
        case "why":
            if let node = try value.field("node", "the path of a node", \.string) {
                self = .whyNode(node)
            } else {
                self = .why(try Self.path(value))
            }
        case "log": self = try Self.log(value)
        default:
            throw FlowError(
                .badRequest,
                "there is no request '\(verb)'"
                    + suggestion(for: verb, among: Self.verbs, noun: "names"))
        }
    }

    /// Whether it changes nothing, so that a failure is no event of the session.
    var onlyLooks: Bool {
        switch self {
        case .eval, .rendering, .timeline, .status, .nodes, .patches, .why, .whyNode, .log,
            .logRendering:
            true
        default: false
        }
    }

    private static func path(_ value: Value) throws(FlowError) -> ValuePath {
        guard let text = try value.field("path", "a text", \.string) else {
            throw FlowError(
                .badRequest, "a why has a \"path\" or a \"node\"",
                help: "such as {\"id\":1,\"do\":\"why\",\"path\":\"rows[1].done\"}")
        }
        do throws(ValuePathError) { return try ValuePath(parsing: text) } catch {
            throw FlowError(.badRequest, "'\(text)' is no path: \(error)")
        }
    }

    private static func log(_ value: Value) throws(FlowError) -> FlowRequest {
        guard let points = try value.field("points", "a list", \.list), !points.isEmpty else {
            throw FlowError(
                .badRequest, "a log has \"points\"",
                help:
                    "such as {\"id\":1,\"do\":\"log\",\"points\":[{\"at\":\"todo.lua:31: {item.id}\"}]}"
            )
        }
        let read = try points.map { (point) throws(FlowError) in
            try LogPoint(
                try point.field("at", "a text", \.string) ?? "",
                where: try point.field("where", "a text", \.string))
        }
        if try value.field("rendering", "true or false", \.bool) ?? false {
            return .logRendering(read)
        }
        return .log(
            read, first: try value.field("first", "a whole number", \.int) ?? 0,
            last: try value.field("last", "a whole number", \.int))
    }

    private static func send(_ value: Value) throws(FlowError) -> FlowRequest {
        if let sink = value["sink"] {
            return .sink(sink, fields: try value.field("with", "an object", \.record) ?? [:])
        }
        if let action = value["action"] {
            return .send(action, node: try value.field("node", "the path of a node", \.string))
        }
        throw FlowError(
            .badRequest, "a send has an \"action\" or a \"sink\"",
            help: "such as {\"id\":1,\"do\":\"send\",\"action\":{\"type\":\"add\"}}")
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
