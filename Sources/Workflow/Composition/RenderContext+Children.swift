extension RenderContext {
    /// Renders `child` under the request's key, making its node first if there is none.
    @inlinable
    func render<Child: Workflow, Route: OutputRoute<Child.Output>>(
        _ child: Child, for request: ChildRequest<WorkflowType, Route>
    ) -> Child.Rendering {
        guard node.isRendering else { return renderLate(child, for: request) }
        return node.isPlain ? place(child, for: request) : renderSeen(child, for: request)
    }

    /// Finds the child's node by its place or its identity, or makes it, and renders it where needed.
    @inlinable
    func place<Child: Workflow, Route: OutputRoute<Child.Output>>(
        _ child: Child, for request: ChildRequest<WorkflowType, Route>
    ) -> Child.Rendering {
        let swiftType = ObjectIdentifier(Child.self)
        let type = child.nodeType
        let place = node.cursor
        if place < node.children.count {
            // Nearly always: the child that stood here in the last pass.
            let candidate = node.children[place]
            if candidate.matches(swiftType, type, request.key) {
                node.cursor = place + 1
                return visit(candidate, child, for: request)
            }
        }
        guard let found = node.findChild(swiftType, type, request.key) else {
            return renderNew(child, key: request.key, for: request)
        }
        guard found.pass != node.tree.pass else {
            let key = node.freeKey(for: found, site: request.site)
            return renderNew(child, key: key, for: request)
        }
        node.appendRendered(found)
        return visit(found, child, for: request)
    }

    /// Hands a child's node its inputs, and renders it where needed.
    @inlinable
    func visit<Child: Workflow, Route: OutputRoute<Child.Output>>(
        _ found: AnyNode, _ child: Child,
        for request: ChildRequest<WorkflowType, Route>
    ) -> Child.Rendering {
        found.pass = node.tree.pass
        found.site = request.site
        // Sound because `matches` compared the Swift types.
        let childNode = unsafeDowncast(found, to: Node<Child>.self)
        childNode.update(child)
        childNode.renew(request.route)
        if !childNode.isDirty, let rendering = childNode.rendering,
            node.isPlain || childNode.mayBeSkipped()
        {
            return rendering
        }
        return childNode.render()
    }

    @inlinable
    func renderNew<Child: Workflow, Route: OutputRoute<Child.Output>>(
        _ child: Child, key: String, for request: ChildRequest<WorkflowType, Route>
    ) -> Child.Rendering {
        let made = Node(workflow: child, tree: node.tree, parent: node, key: key)
        made.pass = node.tree.pass
        made.site = request.site
        made.renew(request.route)
        node.appendRendered(made)
        return made.render()
    }

    /// Serves a context that outlived its call.
    @usableFromInline
    func renderLate<Child: Workflow, Route: OutputRoute<Child.Output>>(
        _ child: Child, for request: ChildRequest<WorkflowType, Route>
    ) -> Child.Rendering {
        reportLateUse()
        return renderAside(child, for: request)
    }

    /// Renders a child once without a place in the tree, and ends it.
    func renderAside<Child: Workflow, Route: OutputRoute<Child.Output>>(
        _ child: Child, for request: ChildRequest<WorkflowType, Route>
    ) -> Child.Rendering {
        // A tree of its own, since that of the context may have ended.
        let tree = WorkflowTree(
            configuration: node.tree.configuration, restoring: nil, owner: nil)
        let aside = Node(workflow: child, tree: tree, parent: nil, key: request.key)
        tree.root = aside
        defer { tree.shutDown() }
        return aside.render()
    }
}
