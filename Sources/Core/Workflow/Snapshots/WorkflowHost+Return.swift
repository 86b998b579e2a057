// For tools that move through a long history and need not make all nodes again for each moment.

import PlainValue

extension WorkflowHost {
    /// Continues from a snapshot with these inputs, like a host made from them, but keeps the
    /// existing nodes. Unchanged nodes do not render. The rendering is published as usual.
    ///
    /// - Important: After false the host must not be used any more.
    /// - Returns: False with workers or effects, whose progress is not known, and with instruments.
    package func goOn(from snapshot: TreeSnapshot, workflow: WorkflowType) -> Bool {
        let now = makeSnapshot()
        guard tree.isPlain, !tree.isBusy, !root.hasEnded, tree.lastFailures.isEmpty,
            now.lost.isEmpty, snapshot.lost.isEmpty, now.root.name == snapshot.root.name,
            !root.hasEffectsWithin
        else { return false }
        let restorer = Restorer()
        var gone: [AnyNode] = []
        do {
            try root.takeStates(of: snapshot.root, now: now.root, restorer, &gone)
        } catch {
            return false
        }
        let outcome = tree.renderChanges(restoringBy: restorer) { root.update(workflow) }
        guard case .applied = outcome, tree.restoration?.isComplete == true else { return false }
        return gone.allSatisfy(\.hasEnded) && !root.hasEffectsWithin
    }
}

extension AnyNode {
    fileprivate final var hasEffectsWithin: Bool {
        if effects != nil || isWorker { return true }
        var left: [AnyNode] = [self]
        while let node = left.popLast() {
            for child in node.children {
                if child.effects != nil || child.isWorker { return true }
                // Most nodes have none below them.
                if !child.children.isEmpty { left.append(child) }
            }
        }
        return false
    }

    /// Takes the states of this node and its descendants from a snapshot; `now` is the snapshot of
    /// the node as it is. `restorer` receives the states of missing nodes, and `gone` the nodes
    /// that the snapshot lacks.
    fileprivate final func takeStates(
        of wanted: TreeSnapshot.Node, now: TreeSnapshot.Node, _ restorer: Restorer,
        _ gone: inout [AnyNode]
    ) throws {
        // No recursion: the stack may be smaller than that of the thread that took the snapshot.
        var left = [(node: self, wanted: wanted, now: now)]
        while let (node, wanted, now) = left.popLast() {
            if wanted.state != now.state {
                guard let state = wanted.state else { throw NotSnapshotted(stateType: node.name) }
                try node.replaceState(by: state)
            }
            if wanted.children.sharesStorage(with: now.children) { continue }
            if wanted.children.areSameNodes(as: now.children) {
                for (index, child) in node.children.enumerated()
                where !wanted.children.isSame(as: now.children, at: index) {
                    left.append((child, wanted.children[index], now.children[index]))
                }
                continue
            }
            var missing: [NodePath.Component: TreeSnapshot.Node] = [:]
            for child in wanted.children { missing[child.component] = child }
            for (child, now) in zip(node.children, now.children) {
                if let wanted = missing.removeValue(forKey: child.component) {
                    left.append((child, wanted, now))
                } else {
                    gone.append(child)
                }
            }
            let components = node.path.components
            for child in missing.values { restorer.add(child, below: components) }
        }
    }
}

extension TreeSnapshot.Node {
    fileprivate var component: NodePath.Component { NodePath.Component(name: name, key: key) }
}

// The children are compared without copying them.
extension [TreeSnapshot.Node] {
    fileprivate func areSameNodes(as others: Self) -> Bool {
        count == others.count
            && indices.allSatisfy {
                self[$0].key == others[$0].key && self[$0].name == others[$0].name
            }
    }

    /// True if the node at this index has the same state, and so have all its descendants.
    fileprivate func isSame(as others: Self, at index: Int) -> Bool {
        self[index].state == others[index].state
            && self[index].children.sharesStorage(with: others[index].children)
    }
}
