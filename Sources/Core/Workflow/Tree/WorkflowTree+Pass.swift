// A render pass and its changes.

extension WorkflowTree {
    func renderPass() -> WorkflowFailure? {
        assert(isBusy && !isRendering)
        assert(changedChildren.isEmpty && effectNodes.isEmpty)
        pass += 1
        isRendering = true
        host?.renderRoot()
        return endPass()
    }

    private func endPass() -> WorkflowFailure? {
        isRendering = false
        guard !failures.isEmpty else {
            if !lastFailures.isEmpty { lastFailures = [] }
            lastGoodPass = pass
            commit()
            if let host, host.hasListeners { host.publish() }
            return nil
        }
        lastFailures = failures
        failures = []
        revert()
        // Reported last, because a listener may look at the tree, which is as before the pass now.
        for failure in lastFailures { report(.failure(failure)) }
        return lastFailures.first
    }

    @usableFromInline
    func renderFirst<Rendering>(_ root: AnyNode, _ render: () -> Rendering) -> Rendering {
        assert(self.root == nil && !isBusy)
        self.root = root
        isBusy = true
        isRendering = true
        pass = 1
        return render()
    }

    @usableFromInline
    func settleFirst(_ host: AnyTreeHost) {
        assert(self.host == nil && isRendering)
        self.host = host
        endRestoring()
        _ = endPass()
        finishWork()
    }

    private func endRestoring() {
        guard let restorer else { return }
        restoration = restorer.finish()
        self.restorer = nil
        isPlain = instruments == nil && !options.rendersEverything
    }

    /// Renders the nodes that a change made dirty. New nodes get their states from a restorer.
    func renderChanges(restoringBy restorer: Restorer, _ change: () -> Void) -> SendOutcome {
        assert(!isBusy && self.restorer == nil)
        isBusy = true
        isPlain = false
        self.restorer = restorer
        change()
        let outcome = renderChanges()
        endRestoring()
        finishWork()
        return outcome
    }

    func recordChildren(of node: AnyNode, before: ContiguousArray<AnyNode>) {
        assert(node.tree === self)
        changedChildren.append((node, before))
    }

    func recordEffects(of node: AnyNode) {
        effectNodes.append(node)
    }

    private func commit() {
        assert(failures.isEmpty && lastGoodPass == pass)
        if !changedChildren.isEmpty {
            let gone = ContiguousArray(
                changedChildren.lazy.flatMap(\.before).filter { $0.pass != self.pass })
            changedChildren.removeAll(keepingCapacity: true)
            AnyNode.end(gone)
        }
        // Every effect stops before the first one starts: what moved from one node to another is
        // released before it is taken.
        guard !effectNodes.isEmpty else { return }
        let nodes = effectNodes
        effectNodes.removeAll(keepingCapacity: true)
        for node in nodes { node.effects?.stopUndeclared(in: pass) }
        for node in nodes where !node.hasEnded { node.effects?.startDeclared() }
    }

    /// Restores the children and effects from before the pass.
    private func revert() {
        for (node, before) in changedChildren.reversed() {
            let kept = Set(before.map(ObjectIdentifier.init))
            let made = node.children.filter { !kept.contains(ObjectIdentifier($0)) }
            node.children = before
            AnyNode.end(ContiguousArray(made))
            node.setDirty(.failure)
        }
        changedChildren.removeAll(keepingCapacity: true)
        for node in effectNodes where !node.hasEnded {
            node.effects?.forgetUnstarted()
            node.setDirty(.failure)
        }
        effectNodes.removeAll(keepingCapacity: true)
    }

    @usableFromInline
    func fail(_ error: any Error, at node: AnyNode) {
        failures.append(WorkflowFailure(path: node.path, phase: .render, error: error))
    }
}
