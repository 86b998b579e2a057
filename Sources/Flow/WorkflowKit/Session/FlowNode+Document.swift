public import PlainValue
import Workflow

extension FlowNode {
    /// The node and all nodes below it: the reply to the request `nodes`.
    ///
    /// A flat list. Each node has its path and precedes its children.
    public var document: Value { .list(of: all.map(\.ownDocument)) }

    private var ownDocument: Value {
        var record: Value.Record = ["path": .string(path.description)]
        if props != .null { record["props"] = props }
        if state != .null { record["state"] = state }
        if !workers.isEmpty { record["workers"] = .list(of: workers.map(\.document)) }
        return .record(record)
    }

    /// Reads a tree from a document; `nil` if it holds none. Invalid workers are left out.
    ///
    /// ```swift
    /// let root = FlowNode(document: [["path": "todo"], ["path": "todo/item:1"]])
    /// let key = root?.children.first?.key  // 1
    /// ```
    public init?(document: Value) {
        guard let list = document.list else { return nil }
        var nodes: [(depth: Int, node: FlowNode)] = []
        for value in list {
            guard let text = value["path"]?.string, let path = NodePath(text),
                let own = path.components.last
            else { return nil }
            let workers = (value["workers"]?.list ?? []).compactMap { worker in
                try? FlowNode.Worker(document: worker)
            }
            nodes.append(
                (
                    path.components.count,
                    FlowNode(
                        path: path, name: own.name, key: own.key, props: value["props"] ?? .null,
                        state: value["state"] ?? .null, workers: workers, children: [])
                ))
        }
        // From the end, so that the nodes below a node are complete before it.
        var complete: [(depth: Int, node: FlowNode)] = []
        for (depth, node) in nodes.reversed() {
            var node = node
            while let last = complete.last, last.depth > depth {
                guard last.depth == depth + 1 else { return nil }
                node.children.append(last.node)
                complete.removeLast()
            }
            complete.append((depth, node))
        }
        guard complete.count == 1 else { return nil }
        self = complete[0].node
    }
}
