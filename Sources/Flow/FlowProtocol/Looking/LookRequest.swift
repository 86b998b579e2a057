import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

/// A request for part of a step. It does not move the session.
enum LookRequest {
    /// The value that a slice is taken from.
    enum Subject: String, CaseIterable {
        case rendering, state, props, input, worker, expression
    }

    /// The entries of a container that a reply includes, and its depth.
    struct Extent {
        /// The first entry, from 0.
        var first = 0
        var limit = 100
        var depth = 3
    }

    /// A search for inputs.
    struct InputSearch {
        var first = 1
        /// The most inputs in the reply.
        var limit = 200
        /// The most inputs that are searched.
        var most = 20_000
        /// A text in their texts, titles or nodes.
        var match: String?
        /// Their kinds; `nil` for all.
        var kinds: Set<String>?
    }

    case value(
        Subject, node: NodePath?, worker: Value, expression: String, step: Int?, ValuePath, Extent)
    case tree(step: Int?, under: NodePath?, Extent)
    /// The nodes whose path contains a text.
    case nodes(match: String, step: Int?, limit: Int)
    case node(NodePath, step: Int?, Extent)
    case difference(from: Int, to: Int, limit: Int)
    case inputs(InputSearch)
    case messages(from: Int, limit: Int)
    case states(by: ValuePath, from: Int, most: Int)
    case overview(buckets: Int, from: Int, to: Int?)
    case find(String, from: Int, most: Int)
    case journal(from: Int, to: Int?)
    case forms, recording, test

    static let verbs = [
        "diff", "find", "forms", "inputs", "journal", "messages", "node", "overview", "recording",
        "states", "test", "tree", "value",
    ]

    /// Returns `nil` for a request of another kind.
    init?(_ verb: String, _ value: Value) throws(FlowError) {
        switch verb {
        case "value":
            let name = try value.text("of") ?? "rendering"
            guard let subject = Subject(rawValue: name) else { throw FlowError(.noValue, name) }
            let expression = try value.text("expression")
            if subject == .expression {
                _ = try expression.required(
                    "the value of an expression has an \"expression\"",
                    ##"{"id":1,"do":"value","of":"expression","expression":"#state.items"}"##)
            }
            self = .value(
                subject, node: try value.node("node"),
                worker: [value["worker"] ?? "", value["key"] ?? ""], expression: expression ?? "",
                step: try value.count("step"), try value.valuePath("path") ?? ValuePath(),
                try value.extent(depth: 3, limit: 100))
        case "tree":
            if let match = try value.text("match") {
                self = .nodes(
                    match: match.lowercased(), step: try value.count("step"),
                    limit: min(try value.count("limit") ?? 100, 10_000))
                return
            }
            self = .tree(
                step: try value.count("step"), under: try value.node("under"),
                try value.extent(depth: 2, limit: 100))
        case "node":
            let path = try value.node("path").required(
                "a node has a \"path\"", #"{"id":1,"do":"node","path":"todo/item:2"}"#)
            self = .node(path, step: try value.count("step"), try value.extent(depth: 2, limit: 50))
        case "diff":
            guard let from = try value.count("from"), let to = try value.count("to") else {
                throw FlowError(
                    .incomplete, "a diff has a \"from\" and a \"to\"",
                    #"{"id":1,"do":"diff","from":0,"to":1}"#)
            }
            self = .difference(
                from: from, to: to, limit: min(try value.count("limit") ?? 100, 10_000))
        case "inputs":
            let kinds = try value.field("kinds", "a list", \.list)
            self = .inputs(
                InputSearch(
                    first: max(try value.count("from") ?? 1, 1),
                    limit: min(try value.count("limit") ?? 200, 10_000),
                    most: min(max(try value.count("most") ?? 20_000, 1), 100_000),
                    match: try value.text("match")?.lowercased(),
                    kinds: kinds.map { Set($0.compactMap(\.string)) }))
        case "messages":
            self = .messages(
                from: max(try value.count("from") ?? 1, 1),
                limit: min(try value.count("limit") ?? 100, 1_000))
        case "states":
            let by = try value.valuePath("by").required(
                "states have a \"by\"", #"{"id":1,"do":"states","by":"state.step"}"#)
            guard [.key("rendering"), .key("state"), .key("props")].contains(by.components.first)
            else { throw FlowError(.badBy, by) }
            self = .states(
                by: by, from: try value.count("from") ?? 0,
                most: max(try value.count("most") ?? 2_000, 1))
        case "overview":
            self = .overview(
                buckets: min(max(try value.count("buckets") ?? 500, 1), 10_000),
                from: max(try value.count("from") ?? 1, 1), to: try value.count("to"))
        case "find":
            let expression = try value.text("expression").required(
                "a find has an \"expression\"",
                ##"{"id":1,"do":"find","expression":"#state.items > 3"}"##)
            self = .find(
                expression, from: try value.count("from") ?? 0,
                most: max(try value.count("most") ?? 2_000, 1))
        case "journal":
            self = .journal(from: try value.count("from") ?? 0, to: try value.count("to"))
        case "forms": self = .forms
        case "recording": self = .recording
        case "test": self = .test
        default: return nil
        }
    }

    var scope: RequestScope {
        switch self {
        case .find, .value(.expression, _, _, _, _, _, _): .evaluate
        default: .view
        }
    }
}

extension Value {
    /// A field that may be missing, but must have the right type.
    func field<T>(
        _ name: String, _ expected: String, _ read: (Value) -> T?
    ) throws(FlowError) -> T? {
        guard let value = self[name] else { return nil }
        guard let result = read(value) else {
            throw FlowError(.badField, name, expected, value.kind)
        }
        return result
    }

    func count(_ name: String) throws(FlowError) -> Int? { try natural(name, .badRequest) }

    func flag(_ name: String) throws(FlowError) -> Bool? {
        try field(name, "true or false", \.bool)
    }

    func text(_ name: String) throws(FlowError) -> String? { try field(name, "a text", \.string) }

    func node(_ name: String) throws(FlowError) -> NodePath? {
        guard let text = try field(name, "the path of a node", \.string) else { return nil }
        guard let path = NodePath(text) else { throw FlowError(.noPath, text) }
        return path
    }

    func valuePath(_ name: String) throws(FlowError) -> ValuePath? {
        guard let text = try text(name) else { return nil }
        return try ValuePath(typed: text, orFailWith: .badRequest)
    }

    fileprivate func extent(depth: Int, limit: Int) throws(FlowError) -> LookRequest.Extent {
        LookRequest.Extent(
            first: try count("from") ?? 0, limit: min(try count("limit") ?? limit, 100_000),
            depth: min(try count("depth") ?? depth, 64))
    }
}

extension Optional {
    /// - Throws: A `FlowError` with an example of the request if the field is missing.
    func required(_ message: String, _ example: String) throws(FlowError) -> Wrapped {
        guard let self else { throw FlowError(.incomplete, message, example) }
        return self
    }
}
