public import PlainValue
import Workflow
import WorkflowLua

extension FlowSession {
    /// The state of the node at `path`, by default of the root; `nil` if there is no such scripted node.
    public func state(of path: String? = nil) -> Value? {
        guard let flow, let tree,
            let path = path.map(NodePath.init) ?? NodePath([.init(name: flow.name)])
        else { return nil }
        return tree.host.state(of: LuaWorkflow.self, at: path)?.value
    }

    /// Sixteen digits that change with the text of any of the flow's files; empty after ``close(within:)``.
    public var hash: String { flow?.hash ?? "" }

    /// The props of the root.
    public var props: Value { tree?.props ?? .null }

    /// The tree with all that it holds; `nil` after ``close(within:)``.
    public func nodes() -> FlowNode? {
        guard let tree else { return nil }
        return FlowNode(
            tree.host.makeSnapshot().root, below: [],
            workers: Dictionary(
                grouping: tree.host.workers(of: ScriptedWorker.self),
                by: { NodePath(Array($0.path.components.dropLast())) }),
            started: workerStarts)
    }

    /// The last good rendering as a type of your own.
    ///
    /// - Throws: `DecodingError` if it has another shape.
    public func rendering<T: Decodable>(as type: T.Type) throws -> T {
        try ValueDecoder().decode(type, from: rendering)
    }

    /// Sends an action to the root that is a type of your own.
    ///
    /// - Throws: An `EncodingError`, or as ``send(_:to:)``.
    public func send(_ action: some FlowAction) throws {
        try send(try action.value)
    }

    /// The events from now on, each with all its fields; none is lost, however slow the reader. Ends with the session.
    public var events: AsyncStream<FlowEvent> { log.makeStream() }

    /// The renderings, beginning with the current one. A reader that is slow misses those between.
    public var renderings: some AsyncSequence<Value, Never> & Sendable {
        let (stream, end) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(1))
        end.yield(rendering)
        let events = log.makeStream()
        let task = Task {
            for await event in events {
                if case .rendering(let rendering, _, _) = event.kind { end.yield(rendering) }
            }
            end.finish()
        }
        end.onTermination = { _ in task.cancel() }
        return stream
    }

    /// The outputs of the root from now on; none is lost, however slow the reader. Ends with the session.
    public var outputs: some AsyncSequence<Value, Never> & Sendable {
        log.makeStream().compactMap { event in
            if case .output(let output) = event.kind { output } else { nil }
        }
    }
}

extension FlowNode {
    fileprivate init(
        _ node: TreeSnapshot.Node, below parents: [NodePath.Component],
        workers: [NodePath: [DeclaredWorkerState<ScriptedWorker>]], started: [NodePath: Int]
    ) {
        let components = parents + [NodePath.Component(name: node.name, key: node.key)]
        let path = NodePath(components)
        self.init(
            path: path.description, name: node.name, key: node.key,
            props: node.inputs?.value ?? .null, state: node.state?.stateValue ?? .null,
            workers: (workers[path] ?? []).map { worker in
                Worker(
                    name: worker.worker.nodeName, key: worker.path.components.last?.key ?? "",
                    input: worker.worker.input, started: started[worker.path],
                    hasEnded: worker.hasEnded)
            },
            children: node.children.map {
                FlowNode($0, below: components, workers: workers, started: started)
            })
    }
}

extension SnapshotValue {
    /// The plain value of what a snapshot kept.
    var value: Value {
        if case .content(let content) = self, let plain = content as? PlainState {
            return plain.value
        }
        return (try? ValueEncoder().encode(self)) ?? .null
    }

    /// The state of a node, without the version that a scripted one has beside it.
    fileprivate var stateValue: Value {
        if case .content(let content) = self, let scripted = content as? ScriptedState {
            return scripted.state
        }
        return value
    }
}
