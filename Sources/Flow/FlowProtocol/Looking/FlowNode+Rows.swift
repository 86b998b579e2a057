import PlainValue
import Workflow
import WorkflowKit

extension FlowNode {
    /// The number of nodes from this one down.
    var count: Int {
        // Most nodes are leaves; counting them here avoids a copy.
        children.indices.reduce(1) { count, index in
            count + (children[index].children.isEmpty ? 1 : children[index].count)
        }
    }

    /// The node at a path below this one, if there is one.
    func node(at path: ArraySlice<NodePath.Component>) -> FlowNode? {
        guard let first = path.first else { return self }
        return children.first { $0.name == first.name && $0.key == first.key }?
            .node(at: path.dropFirst())
    }

    /// The node as a row of the tree, with the rows below it that the extent includes.
    ///
    /// - Parameter isTop: True if the extent's first child applies to this node.
    func row(_ extent: LookRequest.Extent, isTop: Bool) -> Value {
        var record: Value.Record = [
            "path": .string(path.description), "name": .string(name),
            "children": .int(children.count), "workers": .int(workers.count),
            "working": .int(workers.count { !$0.hasEnded }),
        ]
        if !key.isEmpty { record["key"] = .string(key) }
        guard extent.depth > 0 else { return .record(record) }
        let first = isTop ? min(extent.first, children.count) : 0
        var below = extent
        below.depth -= 1
        record["from"] = .int(first)
        record["entries"] = .list(
            of: children[first...].prefix(extent.limit).map { $0.row(below, isTop: false) })
        return .record(record)
    }

    /// The rows of the nodes whose path contains a text in lowercase, this one and those below.
    func all(matching text: String, most: Int) -> [Value] {
        var found: [Value] = []
        func search(_ node: FlowNode) {
            guard found.count < most else { return }
            if node.path.description.lowercased().contains(text) {
                found.append(node.row(LookRequest.Extent(depth: 0), isTop: true))
            }
            node.children.forEach(search)
        }
        search(self)
        return found
    }

    func detail(step: Int, _ slices: ValueSlices) -> Value {
        var record: Value.Record = [
            "step": .int(step), "path": .string(path.description), "name": .string(name),
            "children": .int(children.count),
            "workers": .list(of: workers.map { $0.detail(slices) }),
        ]
        if !key.isEmpty { record["key"] = .string(key) }
        if props != .null { record["props"] = slices.slice(props) }
        if state != .null { record["state"] = slices.slice(state) }
        return .record(record)
    }
}

extension FlowNode.Worker {
    /// The worker as a value, with its input as it is to be shown.
    func record(input: Value) -> Value.Record {
        var record: Value.Record = [
            "name": .string(name), "input": input, "ended": .bool(hasEnded),
        ]
        if !key.isEmpty { record["key"] = .string(key) }
        return record
    }

    fileprivate func detail(_ slices: ValueSlices) -> Value {
        var record = record(input: slices.slice(input))
        if let started { record["started"] = .int(started) }
        if !refused.isEmpty {
            record["refused"] = .list(
                of: refused.map { refused in
                    ["reason": .string(refused.reason), "at": .int(refused.milliseconds)]
                })
        }
        return .record(record)
    }
}
