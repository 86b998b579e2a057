package import PlainValue
import Workflow
package import WorkflowKit
package import WorkflowLua

/// A client's call of a session in the JSON protocol: an action, a sink of the rendering, or props.
package struct FlowCall: Sendable {
    private enum Form {
        case action(Value, node: String?)
        case sink(Value, fields: Value.Record)
        case sinkAt(ValuePath, step: Int?, fields: Value.Record)
        case props(Value)
    }

    private let form: Form

    /// - Parameter verb: `send` or `props`.
    /// - Throws: A `FlowError` with the code `bad_request`.
    package init(_ verb: String, _ fields: Value.Record) throws(FlowError) {
        let request = Value.record(fields)
        form = verb == "props" ? try Self.props(request) : try Self.send(request)
    }

    private static func props(_ value: Value) throws(FlowError) -> Form {
        let props = try value.field("props", "an object", { $0.record.map(Value.record) })
        return .props(
            try props.required(
                "a props has \"props\"", #"{"id":1,"do":"props","props":{"name":"you"}}"#))
    }

    private static func send(_ value: Value) throws(FlowError) -> Form {
        let given = ["action", "at", "sink"].filter { value[$0] != nil }
        guard given.count < 2 else { throw FlowError(.both, given[0], given[1]) }
        if let path = try value.valuePath("at") {
            return .sinkAt(
                path, step: try value.count("step"),
                fields: try value.field("with", "an object", \.record) ?? [:])
        }
        if let sink = value["sink"] {
            return .sink(sink, fields: try value.field("with", "an object", \.record) ?? [:])
        }
        let action = try value["action"].required(
            "a send has an \"action\" or a \"sink\"",
            #"{"id":1,"do":"send","action":{"type":"add"}}"#)
        return .action(action, node: try value.field("node", "the path of a node", \.string))
    }

    /// The call with the sink itself, if it names the sink by its path.
    ///
    /// - Throws: A `FlowError` if there is no sink at the path, or not that of the named step.
    package func naming(sinkOf session: isolated FlowSession) throws(FlowError) -> FlowCall {
        guard case .sinkAt(let path, let step, let fields) = form else { return self }
        let sink = try session.sink(at: path, asOf: step)
        return try FlowCall("send", ["sink": sink, "with": .record(fields)])
    }

    /// The input that the call stands for: the same one in whatever form the client sent it.
    package func input(in session: isolated FlowSession) throws(FlowError) -> FlowInput.Kind {
        switch form {
        case .action(let action, let node): try session.input(of: action, to: session.path(node))
        case .sink(let sink, let fields): try session.input(of: sink, with: fields)
        case .sinkAt(let path, let step, let fields):
            try session.input(of: try session.sink(at: path, asOf: step), with: fields)
        case .props(let props): .props(props)
        }
    }
}
