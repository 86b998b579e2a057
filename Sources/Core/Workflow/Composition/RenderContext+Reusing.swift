// For script interpreters, which know when a child is rendered with unchanged inputs.

extension RenderContext {
    /// Keeps the next child of the last pass as it is, with its rendering, if it has this number
    /// and need not render. This is `rendered(in:key:)` with equal inputs and the same output map.
    @inlinable
    package func reuseNextChild(_ number: Int) -> Bool {
        let place = node.cursor
        guard node.isRendering, node.isPlain || node.isRestored, place < node.children.count else {
            return false
        }
        let child = node.children[place]
        guard child.number == number, !child.isDirty else { return false }
        node.cursor = place + 1
        child.pass = node.tree.pass
        return true
    }

    /// The number of the child with the identity of `child` under `key`, if this render has it.
    package func numberOfRendered<Child: Workflow>(_ child: Child, key: String) -> Int? {
        numberOfRendered(child, type: child.nodeType, key: key)
    }

    /// Does the same for a child with another identity of the same Swift type.
    package func numberOfRendered<Child: Workflow>(
        _ child: Child, type: ObjectIdentifier, key: String
    ) -> Int? {
        let swiftType = ObjectIdentifier(Child.self)
        let place = node.cursor
        // A child at its old place has not been rendered twice.
        if place < node.children.count, node.children[place].matches(swiftType, type, key) {
            return nil
        }
        guard node.isRendering, node.tree.replay == nil,
            let found = node.findChild(swiftType, type, key),
            found.pass == node.tree.pass
        else { return nil }
        return found.number
    }

    /// Does the same for a child of any type, by searching all that this render has rendered.
    package func numberOfRendered(
        _ swiftType: Any.Type, type: ObjectIdentifier, key: String
    ) -> Int? {
        node.renderedChildren.first { $0.matches(ObjectIdentifier(swiftType), type, key) }?.number
    }

    package var lastRendering: WorkflowType.Rendering? { node.rendering }

    /// The number of the child that was rendered last, if the next pass may keep it.
    package var lastChildNumber: Int? {
        guard node.isPlain || node.isRestored, node.tree.failures.isEmpty else {
            return nil
        }
        return node.lastChild?.number
    }
}

extension AnyWorkflowConvertible {
    @inlinable
    package func renderedWithoutOutput<Parent>(
        in context: RenderContext<Parent>, key: String,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Rendering {
        render(
            in: context, key: key, site: CallSite(file: file, line: line),
            route: NoRoute<Output>())
    }
}
