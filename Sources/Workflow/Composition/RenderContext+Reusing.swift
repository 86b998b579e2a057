// For an interpreter of scripts, which knows by itself when a child is rendered with what it has already.

extension RenderContext {
    /// Takes the next child over from the last pass as it is, if it is the one with this number and need not render.
    ///
    /// As `rendered(in:key:)` with equal inputs and the same output map would, but without either. The rendering is
    /// the one that the child gave last.
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

    /// The number of the child with the identity of `child` under `key`, if this render has rendered it already.
    package func numberOfRendered<Child: Workflow>(_ child: Child, key: String) -> Int? {
        let swiftType = ObjectIdentifier(Child.self)
        let type = child.nodeType
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

    /// The same for a child of another type than that rendered now, by looking at all that were rendered.
    package func numberOfRendered(
        _ swiftType: Any.Type, type: ObjectIdentifier, key: String
    ) -> Int? {
        node.renderedChildren.first { $0.matches(ObjectIdentifier(swiftType), type, key) }?.number
    }

    /// The last good rendering of this node.
    package var lastRendering: WorkflowType.Rendering? { node.rendering }

    /// The number of the child that was rendered last, if it may be kept in the next pass.
    package var lastChildNumber: Int? {
        guard node.isPlain || node.isRestored, node.tree.failures.isEmpty else {
            return nil
        }
        return node.lastChild?.number
    }
}

extension AnyWorkflowConvertible {
    /// Renders this child and drops its outputs.
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
