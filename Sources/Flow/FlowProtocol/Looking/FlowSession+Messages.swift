import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

extension FlowSession {
    private static let longestName = 120

    /// The messages of some steps with senders and receivers, and what workers they start and end;
    /// the workers that ran before are in `running`.
    func messages(
        from first: Int, limit: Int, hiding secrets: SecretTexts
    ) throws(FlowError) -> Value {
        var record: Value.Record = [
            "of": .int(stepCount), "from": .int(first), "running": [], "steps": [],
        ]
        let last = min(first + limit - 1, stepCount)
        guard first <= last else { return .record(record) }
        let slices = ValueSlices(secrets: secrets, depth: 1, limit: 8)
        var step = first
        var steps: [Value] = []
        var running: [Value] = []
        try past.transitions(first...last) { before, after, played in
            if step == first { running = before.all.flatMap(\.running) }
            var one = past.input(step).entry(step: step, hiding: secrets).record ?? [:]
            if case .worker(let news) = past.input(step).kind {
                one["worker"] = .string(news.worker)
                if !news.key.isEmpty { one["key"] = .string(news.key) }
            }
            one.merge(played.fields(slices))
            one["rendered"] = nil
            one["workers"] = .list(of: Changes.workers(from: before, to: after))
            steps.append(.record(one))
            step += 1
            return true
        }
        record["running"] = .list(of: running)
        record["steps"] = .list(of: steps)
        return .record(record)
    }

    /// The values of a field of the root from a step on, with the inputs between them.
    func states(
        by path: ValuePath, from: Int, most: Int, hiding secrets: SecretTexts
    ) throws(FlowError) -> Value {
        struct Edge: Hashable {
            var from: String
            var to: String
            var by: String
        }
        let below = ValuePath(Array(path.components.dropFirst()))
        let last = min(stepCount, from + min(most, .max - from))
        var edges: [Edge: (count: Int, step: Int)] = [:]
        var first = ""
        var state = ""
        try past.search(from: from, through: max(last, from)) { step, rendering, props, value in
            let whole: Value =
                switch path.components.first {
                case .key("rendering"): rendering
                case .key("props"): props
                default: value
                }
            let now = Self.stateName(secrets.hiding(whole[below] ?? .null, at: below))
            if step == from {
                first = now
            } else {
                let edge = Edge(from: state, to: now, by: past.input(step).title)
                edges[edge] = ((edges[edge]?.count ?? 0) + 1, edges[edge]?.step ?? step)
            }
            state = now
            return true
        }
        let found = edges.sorted { $0.value.step < $1.value.step }.map { edge, seen -> Value in
            [
                "from": .string(edge.from), "to": .string(edge.to), "by": .string(edge.by),
                "count": .int(seen.count), "step": .int(seen.step),
            ]
        }
        var record: Value.Record = [
            "of": .int(stepCount), "from": .int(from), "to": .int(last), "first": .string(first),
            "last": .string(state), "edges": .list(of: found),
        ]
        if last < stepCount { record["next"] = .int(last) }
        return .record(record)
    }

    private static func stateName(_ value: Value) -> String {
        switch value {
        case .null: "nil"
        case .string(let text): String(text.prefix(longestName))
        default: value.summary(maxLength: longestName)
        }
    }
}

extension FlowNode {
    fileprivate var running: [Value] {
        workers.filter { !$0.hasEnded }.map { worker in
            var record: Value.Record = [
                "node": .string(path.description), "name": .string(worker.name),
            ]
            if !worker.key.isEmpty { record["key"] = .string(worker.key) }
            return .record(record)
        }
    }
}
