// For owners whose nodes lose what they are made of, and get it again.

extension WorkflowHost {
    /// Called before each action, worker's event or new input of the root is dealt with, while nothing else is under way.
    package var onWork: (() -> Void)? {
        get { treeHost.onWork }
        set { treeHost.onWork = newValue }
    }

    /// Calls ``onWork`` now, unless something is under way, before which it was called.
    package func prepare() {
        guard !tree.isBusy, tree.root != nil else { return }
        tree.isBusy = true
        treeHost.onWork?()
        tree.finishWork()
    }

    /// Gives the root new inputs within ``onWork``; that is no event of its own.
    ///
    /// - Parameter renders: Whether what is dirty is rendered at once; otherwise with what comes next.
    package func renew(workflow: WorkflowType, renders: Bool) {
        guard !root.hasEnded else { return }
        root.update(workflow)
        if renders { _ = tree.renderChanges() }
    }
}
