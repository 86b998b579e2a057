/// What a workflow's `render` composes with: children, sinks, side effects, workers.
///
/// Good for the one call of `render` that received it; used later it does nothing and is reported.
public struct RenderContext<WorkflowType: Workflow> {
    @usableFromInline let node: Node<WorkflowType>

    @inlinable
    init(node: Node<WorkflowType>) { self.node = node }

    /// The path of the node that is being rendered, such as `app/row:3`.
    public var path: NodePath { node.path }

    /// Whether one more level of children may stand below this node.
    ///
    /// A workflow that interprets scripts asks this before it renders a child, since a native child
    /// below the limit of ``HostConfiguration/maximumDepth`` is a programmer's error.
    public var allowsChildren: Bool { node.depth < node.tree.configuration.maximumDepth }

    /// Says that this render failed, and with it the pass.
    ///
    /// Whatever `render` then returns is shown to no one but the parents that render in this pass: the
    /// host keeps its last good rendering, the children, side effects and workers stay as they were before
    /// the pass, the failure is reported, and the next pass renders this node again.
    public func fail(_ error: any Error) {
        node.tree.fail(error, at: node)
    }
}

extension RenderContext {
    /// Renders `child` under the request's key, making its node first if there is none.
    @inlinable
    func render<Child: Workflow>(
        _ child: Child, for request: ChildRequest<WorkflowType, Child.Output>
    ) -> Child.Rendering {
        guard node.isRendering else { return renderLate(child, for: request) }
        let swiftType = ObjectIdentifier(Child.self)
        let type = child.nodeType
        let tree = node.tree
        let place = node.cursor
        let isInPlace =
            place < node.children.count
            && node.children[place].matches(swiftType, type, request.key)
        let found =
            isInPlace ? node.children[place] : node.findChild(swiftType, type, request.key)
        guard let found else { return renderNew(child, key: request.key, for: request) }
        guard found.pass != tree.pass else {
            let key = node.freeKey(for: found, site: request.site)
            return renderNew(child, key: key, for: request)
        }
        if isInPlace { node.cursor = place + 1 } else { node.keep(found) }
        found.pass = tree.pass
        found.site = request.site
        // Sound because `matches` compared the Swift types.
        let childNode = unsafeDowncast(found, to: Node<Child>.self)
        childNode.update(child)
        if request.renewsRoute { childNode.route = request.route }
        if !childNode.isDirty, let rendering = childNode.rendering { return rendering }
        return childNode.render()
    }

    @inlinable
    func renderNew<Child: Workflow>(
        _ child: Child, key: String, for request: ChildRequest<WorkflowType, Child.Output>
    ) -> Child.Rendering {
        let made = Node(workflow: child, tree: node.tree, parent: node, key: key)
        node.tree.checkDepth(of: made)
        made.pass = node.tree.pass
        made.site = request.site
        made.route = request.route
        node.keep(made)
        return made.render()
    }

    /// Serves a context that outlived its call: the child is rendered once, aside, and ended.
    @usableFromInline
    func renderLate<Child: Workflow>(
        _ child: Child, for request: ChildRequest<WorkflowType, Child.Output>
    ) -> Child.Rendering {
        node.tree.report(.contextUsedAfterRender(node.path), at: request.site)
        let aside = Node(workflow: child, tree: node.tree, parent: node, key: request.key)
        defer { aside.end() }
        return aside.render()
    }
}
