/// The context of a render: declares children, sinks, side effects and workers.
///
/// ```swift
/// func render(state: Int, context: RenderContext<Counter>) -> Screen {
///     Screen(count: state, onTap: context.makeEventHandler(action: Action.increment))
/// }
/// ```
///
/// - Important: Valid only during the call of `render` that received it. Later uses are reported.
public struct RenderContext<WorkflowType: Workflow> {
    @usableFromInline let node: Node<WorkflowType>

    @inlinable
    init(node: Node<WorkflowType>) { self.node = node }

    /// The path of the node that is being rendered, such as `app/row:3`.
    public var path: NodePath { node.path }

    /// True if this node may have children: false at the limit of
    /// ``HostOptions/maximumDepth``. An interpreter of scripts checks it before it renders a
    /// child. Native children and workers have room below.
    public var allowsChildren: Bool { Int(node.depth) < node.tree.maximumDepth }

    /// Makes this render fail, and with it the pass. The failure is reported, and the next pass
    /// renders this node again. The host keeps its last good rendering. Children, side effects and
    /// workers stay as they were before the pass.
    ///
    /// ```swift
    /// if state.text.count > 100 { context.fail(TooLong()) }
    /// ```
    ///
    /// - Note: `render` goes on: the parents that render in this pass see what it returns.
    public func fail(_ error: any Error) {
        guard node.isRendering else { return reportLateUse() }
        if let replay = node.tree.replay { return replay.recordFailure(error) }
        node.tree.fail(error, at: node)
    }

    @usableFromInline
    func reportLateUse() { node.tree.report(.contextUsedAfterRender(node.path)) }
}
