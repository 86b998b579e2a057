import FlowOrigins
package import PlainValue
package import Workflow
import WorkflowKit
package import WorkflowLua

/// A request of the JSON protocol, read and checked.
enum FlowRequest {
    static let verbs =
        (LookRequest.verbs + [
            "branch", "eval", "follow", "fork", "goto", "interrupt", "log", "narrow", "nodes",
            "patches", "props", "quit", "redo", "reload", "rendering", "retry", "send", "snapshot",
            "status", "timeline", "undo", "unfork", "why", "worker",
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
    case call(FlowCall)
    case worker(FlowInput.Kind)
    /// Gives outputs again, of the worker at a path or of all.
    case retry(NodePath?)
    case eval(String, names: [(String, Value)])
    case why(OriginSubject, step: Int?, depth: Int)
    case whyNode(String, step: Int?)
    case log([LogPoint], first: Int, last: Int?)
    case logRendering([LogPoint])

    init(_ value: Value) throws(FlowError) {
        guard case .string(let verb)? = value["do"] else {
            throw FlowError(.noRequest, Self.verbs.joined(separator: ", "))
        }
        if let look = try LookRequest(verb, value) {
            self = .look(look)
            return
        }
        switch verb {
        case "follow": self = .follow
        case "narrow": self = .narrow(try Self.scopes(value))
        case "fork": self = .fork(step: try value.count("step"))
        case "unfork":
            self = .unfork(
                try value.count("session").required(
                    "an unfork has a \"session\"", #"{"id":1,"do":"unfork","session":2}"#))
        case "worker": self = try Self.worker(value)
        case "retry": self = .retry(try NodePath(workerOf: value))
        case "quit": self = .quit
        case "undo": self = .undo
        case "redo": self = .redo
        case "branch": self = .branch
        case "reload":
            let replays = try value.flag("replay") ?? false
            self = .reload(
                replays ? .replayingInputs : .keepingState,
                tellsChanges: try value.flag("compare") ?? false)
        case "snapshot": self = .snapshot
        case "interrupt": self = .interrupt
        case "status": self = .status
        case "nodes": self = .nodes
        case "patches": self = .patches(isOn: try value.flag("on") ?? true)
        case "timeline": self = .timeline(tellsChanges: try value.flag("changes") ?? false)
        case "rendering": self = .rendering(step: try value.count("step"))
        case "goto":
            self = .go(
                step: try value.count("step").required(
                    "a goto has a \"step\"", #"{"id":1,"do":"goto","step":0}"#))
        case "props", "send": self = .call(try FlowCall(verb, value.record ?? [:]))
        case "eval":
            let expression = try value.text("expression").required(
                "an eval has an \"expression\"",
                ##"{"id":1,"do":"eval","expression":"#state.items"}"##)
            let names = try value.field("where", "an object", \.record) ?? [:]
            self = .eval(expression, names: names.map { ($0.key, $0.value) })
        case "why":
            let step = try value.count("step")
            let subject = try Self.subject(value)
            if let subject {
                self = .why(subject, step: step, depth: try value.count("through") ?? 0)
            } else {
                let node = try value.field("node", "the path of a node", \.string).required(
                    "a why has a \"path\" or a \"node\"",
                    #"{"id":1,"do":"why","path":"rows[1].done"}"#)
                self = .whyNode(node, step: step)
            }
        case "log": self = try Self.log(value)
        default:
            throw FlowError(
                .unknownRequest, verb, suggestion(for: verb, among: Self.verbs, noun: "names"))
        }
    }

    /// True if the request changes nothing, so that its failure is not an event of the session.
    var onlyLooks: Bool {
        switch self {
        case .eval, .rendering, .timeline, .status, .nodes, .patches, .why, .whyNode, .log,
            .logRendering, .look, .follow, .narrow, .fork, .unfork:
            true
        default: false
        }
    }

    /// The right that the request needs; `nil` if everybody may make it.
    var scope: RequestScope? {
        switch self {
        case .quit, .narrow, .follow, .patches: nil
        case .status, .nodes, .timeline, .rendering, .why, .whyNode, .snapshot: .view
        case .look(let request): request.scope
        case .call, .interrupt: .act
        case .undo, .redo, .go, .branch, .worker, .retry, .fork, .unfork: .travel
        case .eval, .log, .logRendering, .reload: .evaluate
        }
    }

    /// The value that a `why` asks about; `nil` for a node.
    private static func subject(_ value: Value) throws(FlowError) -> OriginSubject? {
        if let path = try value.valuePath("state") {
            return .state(path, of: try value.node("node"))
        }
        if let path = try value.valuePath("props") {
            return .props(path, of: try value.node("node"))
        }
        if let path = try value.valuePath("action") {
            return .action(path, of: try value.node("node"))
        }
        guard value["node"] == nil else { return nil }
        return try value.valuePath("path").map { .rendering($0) }
    }

    private static func scopes(_ value: Value) throws(FlowError) -> Set<RequestScope> {
        let names = try value.field("to", "a list", \.list).required(
            "a narrow has a \"to\"", #"{"id":1,"do":"narrow","to":["view","act"]}"#)
        return Set(
            try names.map { (name) throws(FlowError) in
                guard let scope = name.string.flatMap(RequestScope.init) else {
                    throw FlowError(.noRight, name)
                }
                return scope
            })
    }

    private static func worker(_ value: Value) throws(FlowError) -> FlowRequest {
        var document = value
        document["at"] = .int(0)
        guard let input = try? FlowInput(document: document), case .worker = input.kind else {
            throw FlowError(
                .incomplete, "a worker has a \"node\", a \"worker\", and what becomes of it",
                #"{"id":1,"do":"worker","node":"weather","worker":"http.get","#
                    + #""output":{"status":200}}; "#
                    + #""finished":true and "failed":{"code":…,"message":…} are others"#)
        }
        return .worker(input.kind)
    }

    private static func log(_ value: Value) throws(FlowError) -> FlowRequest {
        let given = try value.field("points", "a list", \.list)
        let points = try given.flatMap { $0.isEmpty ? nil : $0 }.required(
            "a log has \"points\"",
            #"{"id":1,"do":"log","points":[{"at":"todo.lua:31: {item.id}"}]}"#)
        let read = try points.map { (point) throws(FlowError) in
            try LogPoint(parsing: try point.text("at") ?? "", where: try point.text("where"))
        }
        if try value.flag("rendering") ?? false { return .logRendering(read) }
        return .log(read, first: try value.count("first") ?? 0, last: try value.count("last"))
    }
}

extension NodePath {
    /// The path of the worker that a retry names; `nil` if it names none.
    package init?(workerOf value: Value) throws(FlowError) {
        guard let name = try value.field("worker", "a name", \.string) else { return nil }
        let node = try value.field("node", "the path of a node", \.string) ?? ""
        let path = try NodePath(node).required(
            "a retry has the \"node\" of its \"worker\"",
            #"{"id":1,"do":"retry","node":"weather","worker":"http.get"}"#)
        let key = try value.field("key", "a text", \.string) ?? ""
        self.init(path.components + [.init(name: name, key: key)])
    }
}

/// A right that a request of the JSON protocol needs.
public enum RequestScope: String, Sendable, CaseIterable {
    /// To see the session's current and past steps.
    case view
    /// To send actions and props.
    case act
    /// To move in the timeline and to act for a worker.
    case travel
    /// To run the client's Lua code, and to reload the flow's files.
    case evaluate
}
