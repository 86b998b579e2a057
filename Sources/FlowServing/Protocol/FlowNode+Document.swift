public import PlainValue
import Workflow
public import WorkflowKit

extension FlowNode {
    /// The node and all below it as one plain value: what the request `nodes` gives.
    ///
    /// A flat list, each node before its children and with the path that names it.
    public var document: Value { .list(Value.List(all.map(\.ownDocument))) }

    private var ownDocument: Value {
        var record: Value.Record = ["path": .string(path.description)]
        if props != .null { record["props"] = props }
        if state != .null { record["state"] = state }
        if !workers.isEmpty { record["workers"] = .list(Value.List(workers.map(\.document))) }
        return .record(record)
    }

    /// The tree that a document holds; `nil` if it holds none.
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
        // From the last on: whoever stands below a node is complete when the node is.
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
