import CThread

extension AnyNode {
    /// Starts this node's render; returns the argument of ``endRender(failuresBefore:)``.
    @usableFromInline
    final func beginRender() -> Int {
        assert(!isRendering && reordering == nil)
        // A strong reference to the tree would be counted.
        return treeReference._withUnsafeGuaranteedRef { tree in
            if parent == nil { tree.noteStack() }
            if stack_here() < tree.stackFloor { tree.checkStack(at: self) }
            isRendering = true
            cursor = 0
            return tree.failures.count
        }
    }

    /// Ends this node's render: settles its children and says whether its rendering is good.
    @usableFromInline
    final func endRender(failuresBefore: Int) -> Bool {
        assert(isRendering)
        isRendering = false
        wasInSnapshot = false
        settleChildren()
        if effects != nil { tree.recordEffects(of: self) }
        let isGood = tree.failures.count == failuresBefore
        // A failed node and its ancestors render again in the next pass.
        cause = isGood ? [] : .failure
        return isGood
    }

    private final func settleChildren() {
        if let done = reordering?.children {
            reordering = nil
            tree.recordChildren(of: self, before: done.old)
            children = done.next
        } else if cursor != children.count {
            tree.recordChildren(of: self, before: children)
            children.removeSubrange(cursor...)
        }
        assert(children.allSatisfy { $0.parent === self && $0.pass == tree.pass })
    }

    /// The child with this identity when the fast path did not find it; `nil` if it must be made.
    @usableFromInline
    final func findChild(
        _ swiftType: ObjectIdentifier, _ type: ObjectIdentifier, _ key: String
    ) -> AnyNode? {
        if reordering == nil {
            reordering = KeptReordering(ChildReordering(old: children, inPlace: cursor))
            cursor = .max
        }
        return reordering?.children.find(swiftType, type, key)
    }

    final var renderedChildren: ArraySlice<AnyNode> {
        if let reordering { return ArraySlice(reordering.children.next) }
        return ArraySlice(children.prefix(cursor))
    }

    final var lastChild: AnyNode? {
        if let reordering { return reordering.children.next.last }
        return cursor > 0 && cursor <= children.count ? children[cursor - 1] : nil
    }

    @usableFromInline
    final func appendRendered(_ child: AnyNode) {
        assert(reordering != nil && child.parent === self)
        reordering?.children.append(child)
    }

    /// Reports a second child of the same type and key in one render, and makes a key for it. Both
    /// children show; the second one gets a new node in every pass.
    @usableFromInline
    final func freeKey(for child: AnyNode, site: CallSite) -> String {
        tree.report(
            .duplicateChild(
                child.path, first: child.site.description, second: site.description))
        var ordinal = 2
        while findChild(child.swiftType, child.type, "\(child.key)#\(ordinal)") != nil {
            ordinal += 1
        }
        return "\(child.key)#\(ordinal)"
    }
}
