/// What a workflow's `render` composes with: children, sinks, side effects, workers.
///
/// Good for the one call of `render` that received it; used later it does nothing but make sinks, and is reported.
public struct RenderContext<WorkflowType: Workflow> {
    @usableFromInline let node: Node<WorkflowType>

    @inlinable
    init(node: Node<WorkflowType>) { self.node = node }

    /// The path of the node that is being rendered, such as `app/row:3`.
    public var path: NodePath { node.path }

    /// Whether one more level of children may stand below this node.
    ///
    /// A workflow that interprets scripts asks this before it renders a child: `false` at the limit of
    /// ``HostConfiguration/maximumDepth``, below which there is room for native children and workers.
    public var allowsChildren: Bool { node.depth < node.tree.maximumDepth }

    /// Says that this render failed, and with it the pass.
    ///
    /// Whatever `render` then returns is shown to no one but the parents that render in this pass: the
    /// host keeps its last good rendering, the children, side effects and workers stay as they were before
    /// the pass, the failure is reported, and the next pass renders this node again.
    public func fail(_ error: any Error) {
        guard node.isRendering else { return reportLateUse() }
        if let replay = node.tree.replay { return replay.recordFailure(error) }
        node.tree.fail(error, at: node)
    }

    /// Reports a context that outlived its call.
    @usableFromInline
    func reportLateUse() { node.tree.report(.contextUsedAfterRender(node.path)) }
}
