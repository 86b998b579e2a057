package import PlainValue
import WorkerKit
import Workflow
package import WorkflowKit
package import WorkflowLua

/// Writes a session as a Lua test without secrets.
package struct TestWriter {
    /// The longest value of a rendering that the test expects.
    private static let longestValue = 600
    private static let indent = 8

    let flow: String
    let module: String
    let title: String
    let props: Value
    private let principal: String?
    /// The sender of the last input.
    private var sender: String?
    private let secrets: SecretTexts
    /// True if workers run at the end.
    package var isLoose = false
    private var steps: [String] = []
    /// The rendering before the next input.
    private var rendering = Value.null

    package init(
        flow: String, module: String, title: String, props: Value, principal: String? = nil,
        hiding secrets: SecretTexts
    ) {
        self.secrets = secrets
        self.principal = principal
        secrets.add(from: props)
        self.flow = flow
        self.module = module
        self.title = title
        self.props = secrets.hiding(props)
    }

    package mutating func begin(_ rendering: Value) {
        secrets.add(from: rendering)
        let rendering = secrets.hiding(rendering)
        expect(rendering, rendering.record?.map(\.key) ?? [])
    }

    /// Adds an input and its effects. A new rendering is `nil` if there was none.
    package mutating func add(
        _ input: FlowInput, rendering new: Value?, outputs: [Value], error: FlowError?
    ) {
        secrets.add(from: input)
        for value in outputs + [new ?? .null] { secrets.add(from: value) }
        if !input.isOfWorker, input.principal != sender {
            sender = input.principal
            steps.append("flow:by(\(sender.map { Value.string($0).description } ?? ""))")
        }
        switch secrets.hiding(input).kind {
        case .action(let action, let node): steps.append(send(action, to: node))
        case .props(let props): steps.append("flow:update" + call(props, after: 11))
        case .worker(let news): steps.append(line(news))
        }
        if let error { steps.append("flow:expect_error" + call(.string(error.message), after: 17)) }
        if let new = new.map({ secrets.hiding($0) }) {
            expect(new, rendering.withoutSinks.changedNames(in: new.withoutSinks))
        }
        for output in outputs {
            steps.append("flow:expect_output" + call(secrets.hiding(output), after: 18))
        }
    }

    package var text: String {
        let name = Value.string(module).description
        let start = "local flow = workflow.test(require \(name)"
        let literal = LuaLiteral(indent: Self.indent)
        let isPlain = (props == [:] || props == []) && principal == nil
        var props = isPlain ? "" : ", " + literal.text(props, after: start.count + 2)
        if let principal { props += ", { principal = \(Value.string(principal).description) }" }
        var lines = [
            "describe(\(Value.string(flow)), function()",
            "    it(\(Value.string(title)), function()",
            "        \(start)\(props))",
        ]
        lines += steps.map { "        " + $0 }
        if isLoose { lines.append("        flow:loosely()  -- a worker is still at work") }
        return (lines + ["    end)", "end)"]).map {
            (secrets.hiding(.string($0)).string ?? "") + "\n"
        }.joined()
    }

    private mutating func expect(_ rendering: Value, _ names: [String]) {
        self.rendering = rendering
        guard let record = rendering.withoutSinks.record else { return }
        var expected: Value.Record = [:]
        for name in names {
            guard let value = record[name],
                value.summary(maxLength: Self.longestValue + 1).count <= Self.longestValue
            else { continue }
            expected[name] = value
        }
        if !expected.isEmpty {
            steps.append("flow:expect_rendering" + call(.record(expected), after: 21))
        }
    }

    // MARK: Inputs

    private func send(_ action: Value, to node: NodePath) -> String {
        // The root needs no path.
        guard node.components.count > 1 else {
            if let record = action.record, record.count == 1, let type = record["type"] {
                return "flow:send" + call(type, after: 9)
            }
            return "flow:send" + call(action, after: 9)
        }
        let fields = action.record ?? [:]
        let sinks = sinksInOrder(rendering).compactMap { path, sink in
            Self.further(fields, than: sink, to: node).map { (path: path, further: $0) }
        }
        // The sink with the fewest added fields is the one that was sent.
        if let (path, further) = sinks.min(by: { $0.further.count < $1.further.count }) {
            let start = "flow:send(flow.rendering" + (path.first == "[" ? "" : ".") + path
            return start
                + (further.isEmpty ? "" : ", " + literal(.record(further), after: start.count + 2))
                + ")"
        }
        return "flow:send"
            + call(["$sink": ["node": .string(node.description), "action": action]], after: 9)
    }

    /// The fields of an action that a sink of the node does not carry or carries with other values;
    /// `nil` if the sink cannot have sent it.
    private static func further(
        _ fields: Value.Record, than sink: Value, to node: NodePath
    ) -> Value.Record? {
        guard let target = sink["$sink"], target["node"] == .string(node.description),
            let carried = target["action"]?.record, carried["type"] == fields["type"],
            carried.allSatisfy({ fields[$0.key] != nil })
        else { return nil }
        return Value.Record(
            fields.filter { carried[$0.key] != $0.value }.map { ($0.key, $0.value) },
            uniquingKeysWith: { first, _ in first })
    }

    private func line(_ news: WorkerNews) -> String {
        var arguments = [Value.string(news.worker)]
        var options: Value.Record = [:]
        if !news.key.isEmpty { options["key"] = .string(news.key) }
        if news.node.components.count > 1 {
            options["node"] = .string(news.node.description)
        }
        if !options.isEmpty { arguments.append(.record(options)) }
        let worker = "flow:worker(\(arguments.map(\.description).joined(separator: ", ")))"
        return switch news.event {
        case .output(let value): worker + ":output" + call(value, after: worker.count + 7)
        case .finished: worker + ":finish()"
        case .failed(let error): worker + ":fail" + call(error.value, after: worker.count + 5)
        case .started, .cancelled, .abandoned: "-- \(news.worker) \(news.event)"
        }
    }

    /// An argument. Only a table or a string stands without parentheses.
    private func call(_ value: Value, after taken: Int) -> String {
        let text = literal(value, after: taken + 1)
        return text.first == "{" || text.first == "\"" ? " " + text : "(\(text))"
    }

    private func literal(_ value: Value, after taken: Int) -> String {
        LuaLiteral(indent: Self.indent).text(value, after: taken)
    }
}

extension FlowInput {
    fileprivate var isOfWorker: Bool {
        if case .worker = kind { true } else { false }
    }
}
