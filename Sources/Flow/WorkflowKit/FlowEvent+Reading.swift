public import PlainValue
import Workflow
import WorkflowLua

extension FlowEvent {
    /// Reads an event from an object of the JSON protocol; `nil` if it is unknown or incomplete.
    ///
    /// This is the reverse of `record`.
    ///
    /// ```swift
    /// for line in text.split(separator: "\n") {
    ///     if let event = FlowEvent(record: try Value(json: line.utf8)) { print(event.sequence) }
    /// }
    /// ```
    public init?(record: Value) {
        guard let sequence = record["seq"]?.natural, let kind = Kind(record) else { return nil }
        self.init(
            sequence: sequence, milliseconds: record["at"]?.moment ?? 0,
            cause: record["cause"]?.natural, client: record["client"]?.natural,
            principal: record["by"]?.string, kind: kind)
    }
}

extension FlowEvent.Kind {
    fileprivate init?(_ record: Value) {
        switch record["type"]?.string {
        case "ready":
            guard let header = try? RecordingReader.header(record) else { return nil }
            self = .ready(header)
        case "rendering":
            guard let rendering = record["rendering"] else { return nil }
            self = .rendering(
                rendering, actions: record["actions"]?.list?.compactMap(\.string) ?? [],
                pass: record["pass"]?.natural ?? 0)
        case "action":
            guard let action = record["action"], let node = record.path("node") else { return nil }
            self = .action(action, node: node, source: record["source"]?.string ?? "")
        case "output":
            guard let output = record["output"] else { return nil }
            self = .output(output)
        case "worker":
            guard let event = WorkerNews.Event(record),
                let worker = record["worker"]?.string, let node = record.path("node")
            else { return nil }
            self = .worker(event, worker: worker, key: record["key"]?.string ?? "", node: node)
        case "refused":
            guard let refusal = WorkerRefusal(document: record) else { return nil }
            self = .refused(refusal)
        case "props":
            guard let props = record["props"] else { return nil }
            self = .props(props)
        case "moved":
            guard let step = record["step"]?.natural, let count = record["of"]?.natural else {
                return nil
            }
            self = .moved(step: step, of: count, snapshot: record["snapshot"])
        case "reloaded":
            self = .reloaded(hash: record["hash"]?.string ?? "", snapshot: record["snapshot"])
        case "snapshot":
            guard let document = record["snapshot"] else { return nil }
            self = .snapshot(document)
        case "dropped":
            self = .dropped(
                node: record.path("node") ?? NodePath([]), action: record["action"],
                reason: record["reason"]?.string ?? "")
        case "log":
            guard let message = record["message"]?.string else { return nil }
            self = .log(
                level: record["level"]?.string.flatMap(FlowEvent.LogLevel.init) ?? .info,
                message: message, location: record["location"].flatMap(FlowError.Location.init))
        case "error":
            guard let error = FlowError(record: record) else { return nil }
            self = .error(error)
        case "reply":
            guard let id = record["id"] else { return nil }
            if let more = record["more"]?.list {
                self = .values(id: id, [record["value"] ?? .null] + more)
                return
            }
            self = .reply(
                id: id, value: record["value"],
                error: record["ok"] == true
                    ? nil
                    : record["error"].flatMap(FlowError.init)
                        ?? FlowError(.host, "the request failed"))
        case "news": self = .news(record)
        case "done":
            self = .done(reason: record["reason"]?.string ?? "", exit: record["exit"]?.natural ?? 0)
        default: return nil
        }
    }
}
