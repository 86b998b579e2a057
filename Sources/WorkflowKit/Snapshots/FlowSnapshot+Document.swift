public import PlainValue
import Workflow
public import WorkflowLua

extension FlowSnapshot {
    /// The snapshot as one plain value, for a JSON file or a database.
    public var document: Value {
        [
            "workflow_snapshot": .int(Self.documentVersion), "flow": .string(flow),
            "hash": .string(hash), "at": .string(rfc3339(milliseconds: milliseconds)),
            "random": .string(random.text), "props": props,
            "root": document(of: tree.root, below: []),
        ]
    }

    private func document(
        of node: TreeSnapshot.Node, below parents: [NodePath.Component]
    ) -> Value {
        let components = parents + [NodePath.Component(name: node.name, key: node.key)]
        var record: Value.Record = ["name": .string(node.name)]
        if !node.key.isEmpty { record["key"] = .string(node.key) }
        if let inputs = node.inputs { record["props"] = inputs.value }
        switch node.state {
        case .content(let content):
            if let scripted = content as? ScriptedState {
                record["version"] = .int(scripted.version)
                record["state"] = scripted.state
            } else {
                record["state"] = node.state?.value
            }
        case let state?: record["state"] = state.value
        case nil: break
        }
        if let workers = workers[NodePath(components)] {
            record["workers"] = .list(Value.List(workers.map(\.document)))
        }
        if !node.children.isEmpty {
            record["children"] = .list(
                Value.List(node.children.map { document(of: $0, below: components) }))
        }
        return .record(record)
    }

    /// The snapshot that a document holds.
    ///
    /// - Throws: A ``FlowError`` with the code `snapshot` that says what is wrong with it, and where.
    public init(document: Value) throws(FlowError) {
        guard let version = document["workflow_snapshot"] else {
            throw FlowError(.snapshot, "this is no snapshot of a flow")
        }
        guard version == .int(Self.documentVersion) else {
            throw FlowError(
                .snapshot, "the snapshot has version \(version.summary(maxLength: 20)), not 1",
                help: "restore it with the version of workflow-run that made it")
        }
        flow = try document.text("flow")
        hash = try document.text("hash")
        guard let at = WorkflowKit.milliseconds(rfc3339: try document.text("at")) else {
            throw FlowError(.snapshot, "\"at\" of the snapshot is no time")
        }
        milliseconds = at
        guard let random = RandomState(text: try document.text("random")) else {
            throw FlowError(.snapshot, "\"random\" of the snapshot is broken")
        }
        self.random = random
        props = document["props"] ?? [:]
        guard let root = document["root"] else {
            throw FlowError(.snapshot, "the snapshot has no \"root\"")
        }
        var workers: [NodePath: [FlowNode.Worker]] = [:]
        tree = TreeSnapshot(root: try Self.node(root, below: [], &workers))
        self.workers = workers
    }

    private static func node(
        _ value: Value, below parents: [NodePath.Component],
        _ workers: inout [NodePath: [FlowNode.Worker]]
    ) throws(FlowError) -> TreeSnapshot.Node {
        let name = try value.text("name")
        let components = parents + [NodePath.Component(name: name, key: value["key"]?.string ?? "")]
        // Deeper trees than any host renders are not worth the stack that they take.
        guard components.count <= 10_000 else {
            throw FlowError(.snapshot, "the nodes of the snapshot are nested too deep")
        }
        var node = TreeSnapshot.Node(name: name, key: value["key"]?.string ?? "")
        if let version = value["version"]?.int {
            node.state = .content(
                ScriptedState(version: version, state: value["state"] ?? .null))
        } else if let state = value["state"] {
            node.state = .content(PlainState(state))
        }
        if let inputs = value["props"] { node.inputs = .content(PlainState(inputs)) }
        if let list = value["workers"]?.list {
            var known: [FlowNode.Worker] = []
            for worker in list { known.append(try FlowNode.Worker(document: worker)) }
            workers[NodePath(components)] = known
        }
        for child in value["children"]?.list ?? [] {
            node.children.append(try Self.node(child, below: components, &workers))
        }
        return node
    }
}

extension FlowNode.Worker {
    fileprivate var document: Value {
        var record: Value.Record = [
            "worker": .string(name), "input": input, "ended": .bool(hasEnded),
        ]
        if !key.isEmpty { record["key"] = .string(key) }
        return .record(record)
    }

    fileprivate init(document: Value) throws(FlowError) {
        self.init(
            name: try document.text("worker"), key: document["key"]?.string ?? "",
            input: document["input"] ?? [:], hasEnded: document["ended"]?.bool ?? false)
    }
}

extension Value {
    fileprivate func text(_ field: String) throws(FlowError) -> String {
        guard let text = self[field]?.string else {
            throw FlowError(.snapshot, "the snapshot, or a node of it, has no \"\(field)\"")
        }
        return text
    }
}
