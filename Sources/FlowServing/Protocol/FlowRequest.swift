import PlainValue
import WorkflowKit
import WorkflowLua

/// A request of the JSON protocol, read and checked.
enum FlowRequest {
    static let verbs =
        (LookRequest.verbs + [
            "branch", "eval", "follow", "fork", "goto", "interrupt", "log", "narrow", "nodes",
            "patches", "props", "quit", "redo", "reload", "rendering", "send", "snapshot", "status",
            "timeline", "undo", "unfork", "why", "worker",
        ]).sorted()

    case quit, undo, redo, branch, snapshot, interrupt, status, nodes, follow
    case narrow(Set<RequestScope>)
    case fork(step: Int?)
    case unfork(Int)
    case look(LookRequest)
    case go(step: Int)
    case patches(isOn: Bool)
    case rendering(step: Int?)
    case timeline(tellsChanges: Bool)
    case reload(ReloadPolicy, tellsChanges: Bool)
    case props(Value)
    case send(Value, node: String?)
    case sink(Value, fields: Value.Record)
    case sinkAt(ValuePath, step: Int?, fields: Value.Record)
    case worker(FlowInput.Kind)
    case eval(String, names: [(String, Value)])
    case why(ValuePath, step: Int?)
    case whyNode(String, step: Int?)
    case log([LogPoint], first: Int, last: Int?)
    case logRendering([LogPoint])

    init(_ value: Value) throws(FlowError) {
        guard case .string(let verb)? = value["do"] else {
            throw FlowError(
                .badRequest, "a request is an object with a \"do\"",
                help: "\"do\" is one of \(Self.verbs.joined(separator: ", "))")
        }
        if let look = try LookRequest(verb, value) {
            self = .look(look)
            return
        }
        switch verb {
        case "follow": self = .follow
        case "narrow": self = .narrow(try Self.scopes(value))
        case "fork": self = .fork(step: try value.field("step", "a whole number", \.int))
        case "unfork":
            guard let number = try value.field("session", "a whole number", \.int) else {
                throw FlowError(
                    .badRequest, "an unfork has a \"session\"",
                    help: "such as {\"id\":1,\"do\":\"unfork\",\"session\":2}")
            }
            self = .unfork(number)
        case "worker": self = try Self.worker(value)
        case "quit": self = .quit
        case "undo": self = .undo
        case "redo": self = .redo
        case "branch": self = .branch
        case "reload":
            let replays = try value.field("replay", "true or false", \.bool) ?? false
            self = .reload(
                replays ? .replayingInputs : .keepingState,
                tellsChanges: try value.field("compare", "true or false", \.bool) ?? false)
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
            let step = try value.field("step", "a whole number", \.int)
            if let node = try value.field("node", "the path of a node", \.string) {
                self = .whyNode(node, step: step)
            } else {
                self = .why(try Self.path(value), step: step)
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
            .logRendering, .look, .follow, .narrow, .fork, .unfork:
            true
        default: false
        }
    }

    /// What it needs to be allowed; `nil` for what everybody may.
    var scope: RequestScope? {
        switch self {
        case .quit, .narrow, .follow, .patches: nil
        case .status, .nodes, .timeline, .rendering, .why, .whyNode, .snapshot: .view
        case .look(let request): request.scope
        case .send, .sink, .sinkAt, .props, .interrupt: .act
        case .undo, .redo, .go, .branch, .worker, .fork, .unfork: .travel
        case .eval, .log, .logRendering, .reload: .evaluate
        }
    }

    private static func path(_ value: Value) throws(FlowError) -> ValuePath {
        guard let path = try value.valuePath("path") else {
            throw FlowError(
                .badRequest, "a why has a \"path\" or a \"node\"",
                help: "such as {\"id\":1,\"do\":\"why\",\"path\":\"rows[1].done\"}")
        }
        return path
    }

    private static func scopes(_ value: Value) throws(FlowError) -> Set<RequestScope> {
        guard let names = try value.field("to", "a list", \.list) else {
            throw FlowError(
                .badRequest, "a narrow has a \"to\"",
                help: "such as {\"id\":1,\"do\":\"narrow\",\"to\":[\"view\",\"act\"]}")
        }
        return Set(
            try names.map { (name) throws(FlowError) in
                guard let scope = name.string.flatMap(RequestScope.init) else {
                    throw FlowError(
                        .badRequest, "there is no right \(name)",
                        help: "the rights are view, act, travel and evaluate")
                }
                return scope
            })
    }

    private static func worker(_ value: Value) throws(FlowError) -> FlowRequest {
        var document = value
        document["at"] = .int(0)
        guard let input = try? FlowInput(document: document), case .worker = input.kind else {
            throw FlowError(
                .badRequest, "a worker has a \"node\", a \"worker\", and what becomes of it",
                help: "such as {\"id\":1,\"do\":\"worker\",\"node\":\"weather\","
                    + "\"worker\":\"http.get\",\"output\":{\"status\":200}}; "
                    + "\"finished\":true and \"failed\":{\"code\":…,\"message\":…} are others")
        }
        return .worker(input.kind)
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
        let given = ["action", "at", "sink"].filter { value[$0] != nil }
        guard given.count < 2 else {
            throw FlowError(
                .badRequest, "a send has either \"\(given[0])\" or \"\(given[1])\"",
                help: "\"sink\" and \"at\" name an action of the rendering")
        }
        if let path = try value.valuePath("at") {
            return .sinkAt(
                path, step: try value.field("step", "a whole number", \.int),
                fields: try value.field("with", "an object", \.record) ?? [:])
        }
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
