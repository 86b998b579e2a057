import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

extension FlowSession {
    /// The most bytes of steps in a journal, roughly.
    private static let longestJournal = 16 << 20

    /// The first moment in full, and the changes of each later step, for a page without a session.
    func journal(from: Int, to: Int, hiding secrets: SecretTexts) throws(FlowError) -> Value {
        guard from <= to else { throw FlowError(.noSteps, from, to, stepCount) }
        let first = document(of: try past.look(at: from), hiding: secrets)
        var last = from
        var steps: [Value] = []
        if to > from {
            let slices = ValueSlices(secrets: secrets, depth: 4, limit: 100)
            var before = first
            var bytes = first.json.utf8.count
            try past.transitions(from + 1...to) { _, root, played in
                last += 1
                let after = document(of: (played.rendering, root), hiding: secrets)
                var record = played.fields(slices)
                let input = past.input(last)
                record["entry"] = input.entry(step: last, hiding: secrets)
                record["input"] = secrets.hiding(input.document)
                record["ops"] = .list(of: before.differences(to: after).map(\.operation))
                before = after
                let step = Value.record(record)
                bytes += step.json.utf8.count
                steps.append(step)
                return bytes <= Self.longestJournal
            }
        }
        return [
            "flow": .string(name), "hash": .string(hash), "of": .int(stepCount),
            "from": .int(from), "to": .int(last), "first": first,
            "steps": .list(of: steps),
        ]
    }

    /// A moment as a value: the rendering, the nodes by path, and their order.
    private func document(
        of moment: (rendering: Value, root: FlowNode), hiding secrets: SecretTexts
    ) -> Value {
        var nodes: Value.Record = [:]
        var order: [Value] = []
        for node in moment.root.all {
            let path = node.path.description
            order.append(.string(path))
            var record: Value.Record = [
                "name": .string(node.name), "props": node.props, "state": node.state,
            ]
            if !node.key.isEmpty { record["key"] = .string(node.key) }
            if !node.workers.isEmpty {
                record["workers"] = .list(
                    of: node.workers.map { .record($0.record(input: $0.input)) })
            }
            nodes[path] = .record(record)
        }
        let document: Value = [
            "rendering": moment.rendering, "nodes": .record(nodes), "order": .list(of: order),
        ]
        return secrets.hiding(document)
    }
}
