// For owners whose nodes lose their definitions with a process, and get them again.

extension WorkflowHost {
    /// Called before the host processes an action, a worker's event or new inputs of the root,
    /// never in the middle of another step.
    package var onWork: (() -> Void)? {
        get { treeHost.onWork }
        set { treeHost.onWork = newValue }
    }

    /// Calls ``onWork`` now. Does nothing during a step, because ``onWork`` was called before it.
    package func prepare() {
        guard !tree.isBusy, tree.root != nil else { return }
        tree.isBusy = true
        treeHost.onWork?()
        tree.finishWork()
    }

    /// Gives the root new inputs within ``onWork``, which is not an event of its own. Dirty nodes
    /// render at once if `renders`, else with the next event.
    package func renew(workflow: WorkflowType, renders: Bool) {
        guard !root.hasEnded else { return }
        root.update(workflow)
        if renders { _ = tree.renderChanges() }
    }
}
