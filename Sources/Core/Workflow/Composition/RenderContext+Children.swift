extension RenderContext {
    @inlinable
    func render<Child: Workflow, Route: OutputRoute<Child.Output>>(
        _ child: Child, key: String, site: CallSite, route: Route
    ) -> Child.Rendering {
        guard node.isRendering else { return renderLate(child, key: key) }
        return node.isPlain
            ? place(child, key: key, site: site, route: route)
            : renderSeen(child, key: key, site: site, route: route)
    }

    @inlinable
    func place<Child: Workflow, Route: OutputRoute<Child.Output>>(
        _ child: Child, key: String, site: CallSite, route: Route
    ) -> Child.Rendering {
        let swiftType = ObjectIdentifier(Child.self)
        let type = child.nodeType
        // Nearly always: the child that stood here in the last pass.
        if node.cursor < node.children.count {
            // Sound because a node's children stay while it renders. A reference would be counted.
            let expected = Unmanaged.passUnretained(node.children[node.cursor])
            if expected._withUnsafeGuaranteedRef({ $0.matches(swiftType, type, key) }) {
                node.cursor += 1
                return expected._withUnsafeGuaranteedRef {
                    visit($0, child, site: site, route: route)
                }
            }
        }
        guard let found = node.findChild(swiftType, type, key) else {
            return renderNew(child, key: key, site: site, route: route)
        }
        guard found.pass != node.tree.pass else {
            let key = node.freeKey(for: found, site: site)
            return renderNew(child, key: key, site: site, route: route)
        }
        node.appendRendered(found)
        return visit(found, child, site: site, route: route)
    }

    @inlinable
    func visit<Child: Workflow, Route: OutputRoute<Child.Output>>(
        _ found: AnyNode, _ child: Child, site: CallSite, route: Route
    ) -> Child.Rendering {
        found.pass = node.tree.pass
        found.site = site
        // Sound because `matches` compared the Swift types.
        let childNode = unsafeDowncast(found, to: Node<Child>.self)
        childNode.update(child)
        childNode.renew(route)
        if !childNode.isDirty, let rendering = childNode.rendering,
            node.isPlain || childNode.mayBeSkipped()
        {
            return rendering
        }
        return childNode.render()
    }

    @inlinable
    func renderNew<Child: Workflow, Route: OutputRoute<Child.Output>>(
        _ child: Child, key: String, site: CallSite, route: Route
    ) -> Child.Rendering {
        let made = Node(workflow: child, tree: node.tree, parent: node, key: key)
        made.pass = node.tree.pass
        made.site = site
        made.renew(route)
        node.appendRendered(made)
        return made.render()
    }

    @usableFromInline
    func renderLate<Child: Workflow>(_ child: Child, key: String) -> Child.Rendering {
        reportLateUse()
        return renderAside(child, key: key)
    }

    /// Renders a child once without a place in the tree, and ends it.
    func renderAside<Child: Workflow>(_ child: Child, key: String) -> Child.Rendering {
        // The child gets its own tree, since that of the context may have ended.
        let tree = WorkflowTree(options: node.tree.options, restoring: nil, owner: nil)
        let aside = Node(workflow: child, tree: tree, parent: nil, key: key)
        tree.root = aside
        defer { tree.shutDown() }
        return aside.render()
    }
}
