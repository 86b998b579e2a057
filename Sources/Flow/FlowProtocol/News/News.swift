import PlainValue
import WorkflowKit
import WorkflowLua

/// A summary of the events since a client's last news. The client requests the details.
struct News: Sendable {
    /// Items of one kind that wait for the next news.
    private struct Items<Item: Sendable>: Sendable {
        let most: Int
        var items: [Item] = []
        /// The number of items without room.
        var dropped = 0

        mutating func add(_ item: Item) {
            if items.count < most { items.append(item) } else { dropped += 1 }
        }

        mutating func removeAll() {
            items = []
            dropped = 0
        }
    }

    private static let mostEntries = 50
    private static let mostPaths = 100

    private var outputs = Items<(step: Int, output: Value)>(most: 200)
    private var workers = Items<FlowEvent>(most: 200)
    private var errors = Items<FlowError>(most: 50)
    private var logs = Items<FlowEvent>(most: 200)
    /// The last step of the previous news; `nil` before the first.
    private var count: Int?
    private var revision = 0
    private var rendering = Value.null

    /// Adds an event that came at a step of the session.
    mutating func add(_ event: FlowEvent, step: Int) {
        switch event.kind {
        case .output(let output): outputs.add((step + 1, output))
        case .worker: workers.add(event)
        case .error(let error): errors.add(error)
        case .log, .dropped: logs.add(event)
        default: break
        }
    }

    /// Drops the items that were sent.
    mutating func removeTold() {
        outputs.removeAll()
        workers.removeAll()
        errors.removeAll()
        logs.removeAll()
    }

    mutating func document(of session: isolated FlowSession) -> Value {
        let secrets = session.secrets
        let (past, last) = (session.past, session.stepCount)
        var record: Value.Record = [
            "step": .int(session.step), "of": .int(last),
            "past": .bool(session.isInPast), "working": .bool(session.hasRunningWorkers),
            "flow": .string(session.name), "hash": .string(session.hash),
        ]
        var known = count ?? last
        if let cut = past.lastStep(since: &revision), count != nil {
            record["cut"] = .int(cut)
            known = min(known, cut)
        }
        let first = max(known, last - Self.mostEntries)
        record["from"] = .int(first + 1)
        record["entries"] = .list(
            of: (first..<last).map {
                past.input($0 + 1).entry(step: $0 + 1, hiding: secrets)
            })
        if count != nil { add(changesTo: session.rendering, to: &record) }
        (count, rendering) = (last, session.rendering)
        addItems(to: &record, hiding: secrets)
        return .record(record)
    }

    private func add(changesTo new: Value, to record: inout Value.Record) {
        let changes = rendering.firstDifferences(to: new, limit: Self.mostPaths).changes
        var paths: [String] = []
        for change in changes {
            let path = (change.path.sink ?? change.path).description
            if paths.last != path { paths.append(path) }
        }
        if !paths.isEmpty { record["changed"] = .list(of: paths.map { .string($0) }) }
    }

    private func addItems(to record: inout Value.Record, hiding secrets: SecretTexts) {
        func add(_ name: String, _ values: [Value]) {
            if !values.isEmpty { record[name] = .list(of: values) }
        }
        let slices = ValueSlices(secrets: secrets, depth: 2, limit: 20)
        add(
            "outputs",
            outputs.items.map { ["step": .int($0.step), "output": slices.slice($0.output)] })
        add("workers", workers.items.map { Self.fields(of: $0, hiding: secrets) })
        add("errors", errors.items.map { .record($0.record(hiding: secrets)) })
        add("logs", logs.items.map { Self.fields(of: $0, hiding: secrets) })
        var dropped: Value.Record = [:]
        for (name, count) in [
            ("outputs", outputs.dropped), ("workers", workers.dropped), ("errors", errors.dropped),
            ("logs", logs.dropped),
        ] where count > 0 {
            dropped[name] = .int(count)
        }
        if !dropped.isEmpty { record["dropped"] = .record(dropped) }
    }

    /// An event without the common fields and without a worker's output, which the client requests.
    private static func fields(of event: FlowEvent, hiding secrets: SecretTexts) -> Value {
        guard case .record(var fields) = event.record else { return .null }
        for name in ["v", "seq", "at", "output"] { fields[name] = nil }
        if case .dropped = event.kind {
            fields["level"] = "warning"
            fields["message"] = .string(
                "an action for \(fields["node"]?.string ?? "a node") was dropped: "
                    + (fields["reason"]?.string ?? ""))
        }
        if case .worker = event.kind {} else { fields["type"] = nil }
        return secrets.hiding(event: .record(fields))
    }
}
