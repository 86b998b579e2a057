extension RenderContext {
    /// A sink for actions of one type to this node.
    ///
    /// The same node gives equal sinks for the same type in every pass.
    @inlinable
    public func makeSink<Action: WorkflowAction>(of type: Action.Type) -> Sink<Action>
    where Action.WorkflowType == WorkflowType {
        makeSink(identifiedBy: ObjectIdentifier(type)) { node, action in try node.apply(action) }
    }

    /// A sink whose values are emitted as outputs of this node, leaving the state as it is.
    @inlinable
    public func makeOutputSink() -> Sink<WorkflowType.Output> {
        makeSink(identifiedBy: ObjectIdentifier(OutputMark.self)) { node, output in
            try node.emit(output)
        }
    }

    @inlinable
    func makeSink<Value>(
        identifiedBy id: ObjectIdentifier,
        perform: @escaping (Node<WorkflowType>, Value) throws -> Void
    ) -> Sink<Value> {
        if let known = node.sinkTargets.find(id) {
            // Sound because an id stands for one type of value.
            return Sink(target: unsafeDowncast(known, to: SinkTarget<Value>.self))
        }
        // The target is ended before the node goes.
        let target = SinkTarget<Value>(
            mailbox: node.tree.mailbox,
            path: { [unowned node] in node.path },
            perform: { [unowned(unsafe) node] value in try perform(node, value) })
        node.sinkTargets.add(target, for: id)
        return Sink(target: target)
    }
}

/// Marks the sink of outputs among the sinks of a node.
@usableFromInline enum OutputMark {}
