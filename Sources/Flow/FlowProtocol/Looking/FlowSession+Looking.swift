import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

extension FlowSession {
    func look(_ request: LookRequest, hiding secrets: SecretTexts) throws(FlowError) -> Value {
        switch request {
        case .value(let subject, let node, let worker, let code, let step, let path, let extent):
            return try slice(
                of: subject, node: node, worker: worker, expression: code, step: step, path,
                ValueSlices(extent, secrets), extent)
        case .tree(let step, let under, let extent):
            let step = step ?? self.step
            let root = try past.look(at: step).root
            let node = try root.node(at: under, inStep: step)
            return [
                "step": .int(step), "nodes": .int(root.count),
                "tree": node.row(extent, isTop: true),
            ]
        case .nodes(let match, let step, let limit):
            let found = try past.look(at: step ?? self.step).root.all(matching: match, most: limit)
            return ["step": .int(step ?? self.step), "found": .list(of: found)]
        case .node(let path, let step, let extent):
            let step = step ?? self.step
            return try past.look(at: step).root.node(at: path, inStep: step).detail(
                step: step, ValueSlices(extent, secrets))
        case .difference(let from, let to, let limit):
            let slices = ValueSlices(secrets: secrets, depth: 2, limit: 20)
            return try difference(from: from, to: to, Changes(slices: slices, limit: limit))
        case .inputs(let search): return entries(search, hiding: secrets)
        case .messages(let from, let limit):
            return try messages(from: from, limit: limit, hiding: secrets)
        case .states(let by, let from, let most):
            return try states(by: by, from: from, most: most, hiding: secrets)
        case .overview(let buckets, let from, let to):
            return overview(buckets: buckets, from: from, to: to)
        case .find(let expression, let from, let most):
            return try find(expression, from: from, most: most, hiding: secrets)
        case .journal(let from, let to):
            return try journal(from: from, to: to ?? stepCount, hiding: secrets)
        case .forms: return forms(hiding: secrets)
        case .recording: return ["text": .string(try recordingText(hiding: secrets))]
        case .test: return ["text": .string(try testText(hiding: secrets))]
        }
    }

    private func slice(
        of subject: LookRequest.Subject, node: NodePath?, worker: Value, expression: String,
        step: Int?, _ path: ValuePath,
        _ slices: ValueSlices, _ extent: LookRequest.Extent
    ) throws(FlowError) -> Value {
        let whole: Value
        let number = step ?? self.step
        if subject == .input {
            guard (1...max(stepCount, 1)).contains(number), number <= stepCount else {
                throw FlowError(.noInputOfStep, number, stepCount)
            }
            whole = past.input(number).document
        } else {
            let (rendering, root) = try past.look(at: number)
            switch subject {
            case .rendering: whole = rendering
            case .expression:
                let seen = try root.node(at: node, inStep: number)
                whole = try past.value(
                    of: expression,
                    seeing: [
                        ("rendering", slices.secrets.hiding(rendering)),
                        ("props", slices.secrets.hiding(seen.props)),
                        ("state", slices.secrets.hiding(seen.state)),
                    ])
            case .state: whole = try root.node(at: node, inStep: number).state
            case .worker:
                let workers = try root.node(at: node, inStep: number).workers
                let wanted = workers.first {
                    [.string($0.name), .string($0.key)] as Value == worker
                }
                guard let wanted else {
                    throw FlowError(.noWorker, worker[0]?.string ?? "", number)
                }
                whole = wanted.input
            default: whole = try root.node(at: node, inStep: number).props
            }
        }
        guard let value = whole[path] else {
            throw FlowError(.nothingThere, path, "\(subject)", number)
        }
        return [
            "step": .int(number), "path": .string(path.description),
            "slice": slices.slice(value, at: path, from: extent.first),
        ]
    }

    private func difference(from: Int, to: Int, _ changes: Changes) throws(FlowError) -> Value {
        var results: Value.Record = [:]
        var before: (rendering: Value, root: FlowNode)?
        var after: (rendering: Value, root: FlowNode)?
        if to == from + 1 {
            try past.transitions(to...to) { old, new, played in
                results = played.fields(changes.slices)
                before = (played.renderingBefore ?? .null, old)
                after = (played.rendering, new)
                return true
            }
        } else {
            (before, after) = (try past.look(at: from), try past.look(at: to))
        }
        guard let before, let after else { throw FlowError(.closed) }
        let nodes = changes.nodes(from: before.root, to: after.root)
        var record: Value.Record = [
            "from": .int(from), "to": .int(to),
            "rendering": changes.document(from: before.rendering, to: after.rendering),
            "nodes": .list(of: nodes.documents), "count": .int(nodes.count),
        ]
        record.merge(results)
        return .record(record)
    }

    private func entries(_ search: LookRequest.InputSearch, hiding secrets: SecretTexts) -> Value {
        let count = stepCount
        var found: [Value] = []
        var step = search.first
        while step <= count, found.count < search.limit, step - search.first < search.most {
            let entry = past.input(step).entry(step: step, hiding: secrets)
            if search.wants(entry) { found.append(entry) }
            step += 1
        }
        var record: Value.Record = ["of": .int(count), "entries": .list(of: found)]
        if step <= count { record["next"] = .int(step) }
        return .record(record)
    }

    private func overview(buckets: Int, from: Int, to: Int?) -> Value {
        let all = stepCount
        let last = min(to ?? all, all)
        var record: Value.Record = [
            "of": .int(all), "from": .int(from), "to": .int(last), "buckets": [],
        ]
        guard from <= last else { return .record(record) }
        let parts = min(buckets, last - from + 1)
        let sums = past.countInputs(from...last, parts: parts)
        record["first"] = .int(past.input(from).milliseconds)
        record["last"] = .int(past.input(last).milliseconds)
        record["buckets"] = .list(of: sums.map { .list(of: $0.map { .int($0) }) })
        return .record(record)
    }

    private func find(
        _ expression: String, from: Int, most: Int, hiding secrets: SecretTexts
    ) throws(FlowError) -> Value {
        let last = min(stepCount, from + most - 1)
        var found: Int?
        try past.search(from: from, through: max(last, from)) {
            (step, rendering, props, state) throws(FlowError) in
            let names = [("rendering", rendering), ("props", props), ("state", state)]
            let value = try past.value(
                of: expression, seeing: names.map { ($0.0, secrets.hiding($0.1)) })
            if value.holds { found = step }
            return found == nil
        }
        if let found { return ["step": .int(found)] }
        return last < stepCount ? ["next": .int(last + 1)] : [:]
    }
}

extension ValueSlices {
    fileprivate init(_ extent: LookRequest.Extent, _ secrets: SecretTexts) {
        self.init(secrets: secrets, depth: extent.depth, limit: extent.limit)
    }
}

extension LookRequest.InputSearch {
    fileprivate func wants(_ entry: Value) -> Bool {
        if let kinds, let kind = entry["kind"]?.string, !kinds.contains(kind) { return false }
        guard let match else { return true }
        return ["text", "title", "node"].contains { field in
            entry[field]?.string?.lowercased().contains(match) ?? false
        }
    }
}

extension FlowNode {
    /// The node at a path, by default this one, which is the root.
    func node(at path: NodePath?, inStep step: Int) throws(FlowError) -> FlowNode {
        guard let path else { return self }
        guard let first = path.components.first,
            NodePath([first]) == self.path,
            let node = node(at: path.components.dropFirst())
        else { throw FlowError(.noNode, path, step) }
        return node
    }
}

extension Rehearsal.Played {
    func fields(_ slices: ValueSlices) -> Value.Record {
        var record: Value.Record = [
            "rendered": .list(
                of: rendered.map { node, cause in
                    [
                        "path": .string(node.description),
                        "cause": .list(
                            of: cause.description.split(separator: ", ")
                                .map { .string(String($0)) }),
                    ]
                }),
            "actions": .list(
                of: actions.map { action in
                    [
                        "node": .string(action.node.description),
                        "action": slices.slice(action.action),
                        "source": .string(action.source),
                    ]
                }),
            "outputs": .list(of: outputs.map { slices.slice($0) }),
        ]
        if let failure { record["failure"] = .record(failure.record(hiding: slices.secrets)) }
        return record
    }
}
