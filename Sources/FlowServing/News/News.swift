import PlainValue
import WorkflowKit
import WorkflowLua

/// What has happened in a session since a client was told last: little of it, the rest is asked for.
struct News: Sendable {
    /// What of one kind waits to be told.
    private struct Items<Item: Sendable>: Sendable {
        let most: Int
        var items: [Item] = []
        /// How many there was no room for.
        var dropped = 0

        mutating func add(_ item: Item) {
            if items.count < most { items.append(item) } else { dropped += 1 }
        }

        mutating func removeAll() {
            items = []
            dropped = 0
        }
    }

    /// The most steps that are listed.
    private static let mostEntries = 50
    /// The most paths of the rendering that are told to have changed.
    private static let mostPaths = 100

    private var outputs = Items<(step: Int, output: Value)>(most: 200)
    private var workers = Items<FlowEvent>(most: 200)
    private var errors = Items<FlowError>(most: 50)
    private var logs = Items<FlowEvent>(most: 200)
    /// The last step that was told; `nil` before the first news.
    private var count: Int?
    private var revision = 0
    private var rendering = Value.null

    /// Adds an event.
    ///
    /// - Parameter step: The step that the session was at.
    mutating func add(_ event: FlowEvent, step: Int) {
        switch event.kind {
        case .output(let output): outputs.add((step + 1, output))
        case .worker: workers.add(event)
        case .error(let error): errors.add(error)
        case .log, .dropped: logs.add(event)
        default: break
        }
    }

    /// Forgets what was told.
    mutating func removeTold() {
        outputs.removeAll()
        workers.removeAll()
        errors.removeAll()
        logs.removeAll()
    }

    /// The news of a session as it is now.
    mutating func document(of session: isolated FlowSession) -> Value {
        let secrets = session.secrets
        let timeline = session.player.timeline
        var record: Value.Record = [
            "step": .int(session.step), "of": .int(timeline.count),
            "past": .bool(session.isInPast), "working": .bool(session.hasRunningWorkers),
            "flow": .string(session.name), "hash": .string(session.hash),
        ]
        var known = count ?? timeline.count
        if count != nil, let last = timeline.lastStep(since: revision) {
            record["cut"] = .int(last)
            known = min(known, last)
        }
        let first = max(known, timeline.count - Self.mostEntries)
        record["from"] = .int(first + 1)
        record["entries"] = .list(
            Value.List(
                timeline.inputs[first...].enumerated().map { index, input in
                    input.entry(step: first + index + 1, hiding: secrets)
                }))
        if count != nil { add(changesTo: session.rendering, to: &record) }
        (count, revision, rendering) = (timeline.count, timeline.revision, session.rendering)
        addItems(to: &record, hiding: secrets)
        return .record(record)
    }

    /// The last news of a session.
    func finalDocument(of session: isolated FlowSession) -> Value {
        var news = self
        return news.document(of: session)
    }

    private func add(changesTo new: Value, to record: inout Value.Record) {
        let changes = rendering.firstDifferences(to: new, limit: Self.mostPaths).changes
        var paths: [String] = []
        for change in changes {
            let path = (change.path.sink ?? change.path).description
            if paths.last != path { paths.append(path) }
        }
        if !paths.isEmpty { record["changed"] = .list(Value.List(paths.map { .string($0) })) }
    }

    private func addItems(to record: inout Value.Record, hiding secrets: SecretTexts) {
        func add(_ name: String, _ values: [Value]) {
            if !values.isEmpty { record[name] = .list(Value.List(values)) }
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

    /// An event without what all events have, and without a worker's output, which is asked for.
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
