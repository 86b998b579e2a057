import LuaVM
public import PlainValue
import WorkerKit
import Workflow
public import WorkflowLua

extension FlowEvent {
    /// The version of the protocol that ``record`` follows.
    public static let protocolVersion = 1

    /// The event as a plain value: one object of the JSON protocol.
    ///
    /// It always has `v`, `seq`, `at` (RFC 3339 with milliseconds) and `type`.
    public var record: Value {
        var record: Value.Record = [
            "v": .int(Self.protocolVersion),
            "seq": .int(sequence),
            "at": .string(rfc3339(milliseconds: milliseconds)),
        ]
        func set(_ name: String, _ value: Value?) {
            if let value { record[name] = value }
        }
        set("cause", cause.map { .int($0) })
        set("client", client.map { .int($0) })
        set("by", principal.map { .string($0) })
        switch kind {
        case .ready(let header):
            set("type", "ready")
            set("flow", .string(header.flow))
            set("session", .string(header.session))
            set("protocol", .int(Self.protocolVersion))
            set("lua", .string(LuaVM.release))
            set("plugins", .list(of: header.plugins.map { .string($0) }))
            set("file", header.file.map { .string($0) })
            set("hash", .string(header.hash))
            // As text: a seed is an unsigned number, and integers of plain values are signed.
            set("seed", .string(String(header.seed)))
            set("props", header.props)
            set("snapshot", header.snapshot)
            if header.step > 0 { set("step", .int(header.step)) }
        case .rendering(let rendering, let actions, let pass):
            set("type", "rendering")
            set("rendering", rendering)
            set("actions", .list(of: actions.map { .string($0) }))
            set("pass", .int(pass))
        case .action(let action, let node, let source):
            set("type", "action")
            set("node", .string(node.description))
            set("action", action)
            set("source", .string(source))
        case .output(let output):
            set("type", "output")
            set("output", output)
        case .worker(let event, let worker, let key, let node):
            set("type", "worker")
            set("node", .string(node.description))
            set("worker", .string(worker))
            if !key.isEmpty { set("key", .string(key)) }
            set("phase", .string(event.name))
            if case .output(let output) = event { set("output", output) }
            if case .failed(let error) = event { set("error", error.value) }
        case .refused(let refusal):
            set("type", "refused")
            for (name, value) in refusal.document { set(name, value) }
        case .props(let props):
            set("type", "props")
            set("props", props)
        case .moved(let step, let count, let snapshot):
            set("type", "moved")
            set("step", .int(step))
            set("of", .int(count))
            set("snapshot", snapshot)
        case .snapshot(let document):
            set("type", "snapshot")
            set("snapshot", document)
        case .reloaded(let hash, let snapshot):
            set("type", "reloaded")
            set("hash", .string(hash))
            set("snapshot", snapshot)
        case .dropped(let node, let action, let reason):
            set("type", "dropped")
            set("node", .string(node.description))
            set("action", action)
            set("reason", .string(reason))
        case .log(let level, let message, let location):
            set("type", "log")
            set("level", .string(level.rawValue))
            set("message", .string(message))
            set("location", location.map { .record($0.record) })
        case .error(let error):
            set("type", "error")
            for (name, value) in error.record { set(name, value) }
        case .reply(let id, let value, let error):
            set("type", "reply")
            set("id", id)
            set("ok", .bool(error == nil))
            set("value", value)
            set("error", error.map { .record($0.record) })
        case .values(let id, let values):
            set("type", "reply")
            set("id", id)
            set("ok", true)
            set("value", values.first ?? .null)
            set("more", .list(of: Array(values.dropFirst())))
        case .news(let news):
            set("type", "news")
            for (name, value) in news.record ?? [:] { set(name, value) }
        case .done(let reason, let exit):
            set("type", "done")
            set("reason", .string(reason))
            set("exit", .int(exit))
        }
        return .record(record)
    }
}

extension FlowError.Location {
    fileprivate var record: Value.Record {
        var record: Value.Record = ["file": .string(file)]
        // A whole file has no line.
        if line > 0 { record["line"] = .int(line) }
        if let path { record["path"] = .string(path) }
        return record
    }
}

extension FlowError {
    /// The error as a plain value: `code`, `message`, and the other known properties.
    public var record: Value.Record {
        var record: Value.Record = [
            "code": .string(code.rawValue), "message": .string(message),
        ]
        if let location { record["location"] = .record(location.record) }
        if let phase { record["phase"] = .string(phase.description) }
        if let node { record["node"] = .string(node.description) }
        if !frames.isEmpty {
            record["trace"] = .list(
                of: frames.map { frame in
                    var record = frame.location.record
                    if let function = frame.function { record["function"] = .string(function) }
                    return .record(record)
                })
        }
        if !locals.isEmpty {
            record["locals"] = .list(
                of: locals.map { ["name": .string($0.name), "value": .string($0.value)] })
        }
        if !notes.isEmpty { record["notes"] = .list(of: notes.map { .string($0) }) }
        if let help { record["help"] = .string(help) }
        return record
    }
}
