extension RenderContext {
    /// A sink for actions of one type to this node.
    ///
    /// The same node gives equal sinks for the same type in every pass.
    @inlinable
    public func makeSink<Action: WorkflowAction>(of type: Action.Type) -> Sink<Action>
    where Action.WorkflowType == WorkflowType {
        Sink(target: makeTarget(of: type))
    }

    @inlinable
    func makeTarget<Action: WorkflowAction>(of type: Action.Type) -> SinkTarget<Action>
    where Action.WorkflowType == WorkflowType {
        let id = ObjectIdentifier(type)
        if let known = node.sinkTargets.find(id) {
            known.declare(by: node)
            // Sound because the id is that of the action's type.
            return unsafeDowncast(known, to: SinkTarget<Action>.self)
        }
        let target = SinkTarget<Action>(node: node) { action, node in
            // Sound because a target belongs to a node of the action's workflow type.
            try unsafeDowncast(node, to: Node<WorkflowType>.self).apply(action)
        }
        node.sinkTargets.insert(target, for: id)
        return target
    }

    /// A sink whose values are emitted as outputs of this node, leaving the state as it is.
    @inlinable
    public func makeOutputSink() -> Sink<WorkflowType.Output> {
        let id = ObjectIdentifier(OutputMark.self)
        if let known = node.sinkTargets.find(id) {
            known.declare(by: node)
            // Sound because this mark stands for the sink of outputs.
            return Sink(target: unsafeDowncast(known, to: SinkTarget<WorkflowType.Output>.self))
        }
        let target = SinkTarget<WorkflowType.Output>(node: node) { output, node in
            // Sound because a target belongs to a node of this workflow type.
            try unsafeDowncast(node, to: Node<WorkflowType>.self).emit(output)
        }
        node.sinkTargets.insert(target, for: id)
        return Sink(target: target)
    }
}

/// Marks the sink of outputs among the sinks of a node.
@usableFromInline enum OutputMark {}
