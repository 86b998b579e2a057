extension RenderContext {
    /// Makes a sink for actions of one type to this node. It is equal in every pass.
    ///
    /// ```swift
    /// let screen = Search.Rendering(results: [], sink: context.makeSink(of: Action.self))
    /// ```
    @inlinable
    public func makeSink<Action: WorkflowAction>(of type: Action.Type) -> Sink<Action>
    where Action.WorkflowType == WorkflowType {
        Sink(target: makeTarget(of: type))
    }

    @inlinable
    func makeTarget<Action: WorkflowAction>(of type: Action.Type) -> SinkTarget<Action>
    where Action.WorkflowType == WorkflowType {
        if !node.isRendering { reportLateUse() }
        return node.target(of: type)
    }

    /// Makes a sink whose values this node emits as outputs, without changing the state.
    @inlinable
    public func makeOutputSink() -> Sink<WorkflowType.Output> {
        if !node.isRendering { reportLateUse() }
        return Sink(target: node.outputTarget())
    }
}

extension Node {
    @inlinable
    func target<Action: WorkflowAction>(of type: Action.Type) -> SinkTarget<Action>
    where Action.WorkflowType == W {
        let id = ObjectIdentifier(type)
        if let known = sinkTargets.find(id) {
            known.declare(by: self)
            // Sound because the id is that of the action's type.
            return unsafeDowncast(known, to: SinkTarget<Action>.self)
        }
        // Both are sound because a target belongs to a node of the action's workflow type.
        let target =
            isTotal(type)
            ? SinkTarget<Action>(node: self) { action, node in
                try unsafeDowncast(node, to: Node<W>.self).applyInPlace(action)
            }
            : SinkTarget<Action>(node: self) { action, node in
                try unsafeDowncast(node, to: Node<W>.self).apply(action)
            }
        sinkTargets.insert(target, for: id)
        return target
    }

    /// True if nothing can fail after an action of this type has begun to change the state.
    @inlinable
    func isTotal<Action: WorkflowAction>(_ type: Action.Type) -> Bool {
        guard Action.Failure.self == Never.self else { return false }
        return W.Output.self == Never.self || parent == nil || type == StateUpdate<W>.self
    }

    @inlinable
    func outputTarget() -> SinkTarget<W.Output> {
        let id = ObjectIdentifier(OutputMark.self)
        if let known = sinkTargets.find(id) {
            known.declare(by: self)
            // Sound because this mark stands for the sink of outputs.
            return unsafeDowncast(known, to: SinkTarget<W.Output>.self)
        }
        let target = SinkTarget<W.Output>(node: self) { output, node in
            // Sound because a target belongs to a node of this workflow type.
            try unsafeDowncast(node, to: Node<W>.self).emit(output)
        }
        sinkTargets.insert(target, for: id)
        return target
    }
}

/// Marks the sink of outputs among the sinks of a node.
@usableFromInline enum OutputMark {}
