public import PlainValue
import WorkerKit
import Workflow
public import WorkflowLua

extension FlowInput {
    /// The input as one plain value, for a file or a database.
    public var document: Value {
        var fields: Value.Record =
            switch kind {
            case .action(let action, let node):
                ["node": .string(node.description), "action": action]
            case .props(let props): ["props": props]
            case .worker(let news): news.fields
            }
        fields["at"] = .int(milliseconds)
        if let principal { fields["by"] = .string(principal) }
        if !refusals.isEmpty {
            fields["refused"] = .list(Value.List(refusals.map { .record($0.document) }))
        }
        return .record(fields)
    }

    /// Reads the input from a document.
    ///
    /// ```swift
    /// let input = try FlowInput(document: ["at": 0, "node": "tea", "action": ["type": "brew"]])
    /// let title = input.title  // brew
    /// ```
    ///
    /// - Throws: A `FlowError` with the code `recording`.
    public init(document: Value) throws(FlowError) {
        guard let milliseconds = try document.time("at", .recording, of: "an input") else {
            throw FlowError(.lacks, "an input", "\"at\"")
        }
        self.milliseconds = milliseconds
        principal = document["by"]?.string
        refusals = (document["refused"]?.list ?? []).compactMap(WorkerRefusal.init)
        if let props = document["props"] {
            kind = .props(props)
        } else if let action = document["action"], let node = document.path("node") {
            kind = .action(action, node: node)
        } else if let news = WorkerNews(fields: document) {
            kind = .worker(news)
        } else {
            throw FlowError(.noInput)
        }
    }
}

extension WorkerNews {
    fileprivate var fields: Value.Record {
        var fields: Value.Record = ["node": .string(node.description), "worker": .string(worker)]
        if !key.isEmpty { fields["key"] = .string(key) }
        fields[event.field.name] = event.field.value
        return fields
    }

    fileprivate init?(fields: Value) {
        guard let node = fields.path("node"), let worker = fields["worker"]?.string else {
            return nil
        }
        guard let event = Event(fields: fields) else { return nil }
        self.init(node: node, worker: worker, key: fields["key"]?.string ?? "", event: event)
    }
}

extension WorkerEvent<Value, WorkerError> {
    /// The field of a document that has the event.
    fileprivate var field: (name: String, value: Value) {
        switch self {
        case .output(let output): ("output", output)
        case .failed(let error): ("failed", error.value)
        case .started, .finished, .cancelled, .abandoned: (name, true)
        }
    }

    fileprivate init?(fields: Value) {
        if let output = fields["output"] {
            self = .output(output)
        } else if let error = fields["failed"] {
            guard let code = error["code"]?.string, let message = error["message"]?.string else {
                return nil
            }
            self = .failed(WorkerError(code, message, help: error["help"]?.string))
        } else if fields["finished"] == true {
            self = .finished
        } else {
            return nil
        }
    }
}

extension RefusedOutput {
    var document: Value {
        var record: Value.Record = [
            "reason": .string(reason), "at": .string(rfc3339(milliseconds: milliseconds)),
            "step": .int(step),
        ]
        record[event.field.name] = event.field.value
        return .record(record)
    }

    init?(document: Value) {
        guard let event = WorkerNews.Event(fields: document) else { return nil }
        self.init(
            event: event, reason: document["reason"]?.string ?? "",
            milliseconds: document["at"]?.moment ?? 0, step: document["step"]?.natural ?? 0)
    }
}

extension Value {
    /// Reads the path of a node from a field, empty for no node; `nil` without a path.
    func path(_ field: String) -> NodePath? {
        guard let text = self[field]?.string else { return nil }
        return text.isEmpty ? NodePath([]) : NodePath(text)
    }
}
