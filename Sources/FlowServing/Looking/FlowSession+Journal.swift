import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

extension FlowSession {
    /// About how many bytes of steps a journal has at most.
    private static let longestJournal = 16 << 20

    /// Steps as they look, in full: the first moment, and for each input what changed by it.
    ///
    /// For a page that is looked at where the session is not.
    func journal(
        from: Int, to: Int, hiding secrets: SecretTexts
    ) throws(FlowError) -> Value {
        guard from <= to else {
            throw FlowError(.misuse, "there are no steps \(from) to \(to)")
        }
        let first = try player.moment(at: from).document(hiding: secrets)
        var last = from
        var steps: [Value] = []
        if to > from {
            let slices = ValueSlices(secrets: secrets, depth: 4, limit: 100)
            var before = first
            var bytes = first.json.utf8.count
            try player.passages(from + 1...to) { passage in
                let after = passage.after.document(hiding: secrets)
                var record = passage.fields(slices)
                record["entry"] = passage.input.entry(
                    step: passage.after.step, hiding: secrets)
                record["input"] = secrets.hiding(passage.input.document)
                record["ops"] = .list(Value.List(before.differences(to: after).map(\.operation)))
                before = after
                let step = Value.record(record)
                bytes += step.json.utf8.count
                steps.append(step)
                last = passage.after.step
                return bytes <= Self.longestJournal
            }
        }
        return [
            "flow": .string(name), "hash": .string(hash), "of": .int(stepCount),
            "from": .int(from), "to": .int(last), "first": first,
            "steps": .list(Value.List(steps)),
        ]
    }
}

extension FlowMoment {
    /// The moment as one plain value: the rendering, the nodes by their paths, and the paths in the order of the tree.
    fileprivate func document(hiding secrets: SecretTexts) -> Value {
        var nodes: Value.Record = [:]
        var order: [Value] = []
        for node in root.all {
            let path = node.path.description
            order.append(.string(path))
            var record: Value.Record = [
                "name": .string(node.name), "props": node.props, "state": node.state,
            ]
            if !node.key.isEmpty { record["key"] = .string(node.key) }
            if !node.workers.isEmpty {
                record["workers"] = .list(
                    Value.List(
                        node.workers.map { worker in
                            var record: Value.Record = [
                                "name": .string(worker.name), "input": worker.input,
                                "ended": .bool(worker.hasEnded),
                            ]
                            if !worker.key.isEmpty { record["key"] = .string(worker.key) }
                            return .record(record)
                        }))
            }
            nodes[path] = .record(record)
        }
        let document: Value = [
            "rendering": rendering, "nodes": .record(nodes), "order": .list(Value.List(order)),
        ]
        return secrets.hiding(document)
    }
}
