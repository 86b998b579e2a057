import PlainValue
import Workflow
import WorkflowKit

/// Describes the differences between two moments as values.
struct Changes {
    let slices: ValueSlices
    /// The most changes of a value, and the most nodes.
    let limit: Int

    /// The differences between two values: the number of changes, and as many as the limit allows.
    func document(from old: Value, to new: Value) -> Value {
        let (changes, count) = old.firstDifferences(to: new, limit: limit)
        var sinks: Set<ValuePath> = []
        let documents = changes.compactMap { change -> Value? in
            guard let sink = change.path.sink else { return document(of: change) }
            // A change anywhere in a sink counts as one change of the sink.
            guard sinks.insert(sink).inserted else { return nil }
            return document(
                of: ValueChange(
                    path: sink, kind: .changed(from: old[sink] ?? .null, to: new[sink] ?? .null)))
        }
        return ["count": .int(count), "changes": .list(of: documents)]
    }

    private func document(of change: ValueChange) -> Value {
        var record: Value.Record = ["path": .string(change.path.description)]
        func slice(_ value: Value) -> Value { slices.slice(value, at: change.path) }
        switch change.kind {
        case .added(let new):
            record["kind"] = "added"
            record["new"] = slice(new)
        case .removed(let old):
            record["kind"] = "removed"
            record["old"] = slice(old)
        case .changed(from: let old, to: let new):
            record["kind"] = "changed"
            record["old"] = slice(old)
            record["new"] = slice(new)
        }
        return .record(record)
    }

    // MARK: Nodes

    /// The nodes that differ, up to the limit, and their number.
    func nodes(from old: FlowNode, to new: FlowNode) -> (documents: [Value], count: Int) {
        var found = FoundNodes()
        compare(old, new, &found)
        return (found.documents, found.count)
    }

    private struct FoundNodes {
        var documents: [Value] = []
        var count = 0
    }

    private func compare(_ old: FlowNode, _ new: FlowNode, _ found: inout FoundNodes) {
        var record: Value.Record = [:]
        if old.state != new.state {
            record["state"] = document(from: old.state, to: new.state)
        }
        if old.props != new.props {
            record["props"] = document(from: old.props, to: new.props)
        }
        let workers = Self.workers(from: old.workers, to: new.workers)
        if !workers.isEmpty { record["workers"] = .list(of: workers) }
        if !record.isEmpty { add("changed", new, record, &found) }
        if old.children.sharesStorage(with: new.children) { return }
        var earlier: [NodePath.Component: FlowNode] = [:]
        for child in old.children { earlier[.init(name: child.name, key: child.key)] = child }
        for child in new.children {
            let name = NodePath.Component(name: child.name, key: child.key)
            if let before = earlier.removeValue(forKey: name) {
                compare(before, child, &found)
            } else {
                addAll("appeared", child, &found)
            }
        }
        for child in old.children where earlier[.init(name: child.name, key: child.key)] != nil {
            addAll("vanished", child, &found)
        }
    }

    private func addAll(_ kind: Value, _ node: FlowNode, _ found: inout FoundNodes) {
        let workers = Self.workers(
            from: kind == "vanished" ? node.workers : [],
            to: kind == "vanished" ? [] : node.workers)
        add(kind, node, workers.isEmpty ? [:] : ["workers": .list(of: workers)], &found)
        for child in node.children { addAll(kind, child, &found) }
    }

    private func add(
        _ kind: Value, _ node: FlowNode, _ record: Value.Record, _ found: inout FoundNodes
    ) {
        found.count += 1
        guard found.documents.count < limit else { return }
        var record = record
        record["path"] = .string(node.path.description)
        record["kind"] = kind
        found.documents.append(.record(record))
    }

    /// The changes of workers alone, with the paths of their nodes.
    static func workers(from old: FlowNode?, to new: FlowNode?) -> [Value] {
        let path = Value.string((new ?? old)?.path.description ?? "")
        var found = workers(from: old?.workers ?? [], to: new?.workers ?? []).map { worker in
            var worker = worker
            worker["node"] = path
            return worker
        }
        if let old, let new, old.children.sharesStorage(with: new.children) { return found }
        var earlier: [NodePath.Component: FlowNode] = [:]
        for child in old?.children ?? [] {
            earlier[.init(name: child.name, key: child.key)] = child
        }
        for child in new?.children ?? [] {
            let before = earlier.removeValue(forKey: .init(name: child.name, key: child.key))
            found += workers(from: before, to: child)
        }
        for child in old?.children ?? []
        where earlier[.init(name: child.name, key: child.key)] != nil {
            found += workers(from: child, to: nil)
        }
        return found
    }

    private static func workers(from old: [FlowNode.Worker], to new: [FlowNode.Worker]) -> [Value] {
        func document(_ worker: FlowNode.Worker, _ kind: Value) -> Value {
            var record: Value.Record = ["name": .string(worker.name), "kind": kind]
            if !worker.key.isEmpty { record["key"] = .string(worker.key) }
            return .record(record)
        }
        func isSame(_ one: FlowNode.Worker, _ other: FlowNode.Worker) -> Bool {
            one.name == other.name && one.key == other.key
        }
        var documents: [Value] = []
        for worker in old where !new.contains(where: { isSame($0, worker) }) {
            documents.append(document(worker, "gone"))
        }
        for worker in new {
            guard let before = old.first(where: { isSame($0, worker) }) else {
                documents.append(document(worker, "started"))
                continue
            }
            if worker.hasEnded, !before.hasEnded {
                documents.append(document(worker, "ended"))
            } else if before.input != worker.input || before.hasEnded && !worker.hasEnded {
                documents.append(document(worker, "started"))
            }
        }
        return documents
    }
}

extension ValuePath {
    /// The path of the sink that contains this path; `nil` if there is none.
    var sink: ValuePath? {
        guard let index = components.firstIndex(of: .key("$sink")) else { return nil }
        return ValuePath(Array(components[..<index]))
    }
}
