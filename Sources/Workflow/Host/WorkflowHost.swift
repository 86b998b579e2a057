/// Runs a tree of workflows: holds the root, renders, takes actions, hands out renderings and outputs.
///
/// A host belongs to the isolation that makes it, most often an actor or the main actor, and everything in
/// the tree happens there, one thing at a time. Actions come through sinks, in one queue. For each action: its cascade is
/// applied, the pass that it caused is rendered, the new rendering is published, the root's outputs are handed
/// out, and only then the next action is taken.
///
/// A host that is made outside any actor belongs to the task or thread that uses it; what was sent from
/// elsewhere is then applied when that task or thread next uses the host.
///
/// The tree ends with ``shutDown()`` or when the host is released.
public final class WorkflowHost<WorkflowType: Workflow> {
    @usableFromInline let tree: WorkflowTree
    @usableFromInline let root: Node<WorkflowType>
    @usableFromInline let store: HostStore<WorkflowType>

    /// Makes a host and renders `workflow` for the first time.
    ///
    /// - Parameters:
    ///   - workflow: The root.
    ///   - configuration: Limits, and where failures are reported.
    ///   - isolation: The owner; leave it to its default.
    @inlinable
    public init(
        workflow: WorkflowType, configuration: HostConfiguration = HostConfiguration(),
        isolation: isolated (any Actor)? = #isolation
    ) {
        let tree = WorkflowTree(configuration: configuration, owner: isolation)
        let root = Node(workflow: workflow, tree: tree, parent: nil, key: "")
        self.tree = tree
        self.root = root
        // The first rendering: a pass that begins before there is a host to publish it to.
        let store = HostStore<WorkflowType>(
            rendering: tree.renderFirst(root) { root.render() })
        self.store = store
        tree.renderRoot = { [unowned(unsafe) root] in
            let rendering = root.render()
            if !root.isDirty { store.rendering = rendering }
        }
        root.route = { output, _ in store.outputs.append(output) }
        tree.publish = { store.publish() }
        tree.deliverOutputs = { store.deliverOutputs() }
        tree.settleFirst()
    }

    deinit {
        if !tree.mailbox.shutDownOnOwner() { tree.shutDown() }
    }

    /// The rendering of the last good pass.
    public var rendering: WorkflowType.Rendering {
        settle()
        return store.rendering
    }

    /// What failed in the last pass; empty if it was good.
    public var renderFailures: [WorkflowFailure] {
        settle()
        return tree.lastFailures
    }

    /// Called after each pass with the new rendering, before the outputs of its action are handed out.
    public var onRendering: ((WorkflowType.Rendering) -> Void)? {
        get { store.onRendering }
        set { store.onRendering = newValue }
    }

    /// Called with each output of the root, after the rendering that its action led to was published.
    public var onOutput: ((WorkflowType.Output) -> Void)? {
        get { store.onOutput }
        set { store.onOutput = newValue }
    }

    /// Gives the root new inputs and renders if they differ.
    ///
    /// While something is under way (from an observer, say) it takes effect when that is complete.
    public func update(workflow: WorkflowType) {
        settle()
        nonisolated(unsafe) let root = root
        nonisolated(unsafe) let workflow = workflow
        tree.processOrQueue { root.update(workflow) }
    }

    /// Ends all nodes, their workers and side effects; later actions are dropped and reported.
    public func shutDown() {
        tree.mailbox.noteTouch()
        tree.shutDown()
    }

    /// Applies what was sent from elsewhere and has not been taken yet.
    private func settle() {
        tree.mailbox.noteTouch()
        if tree.mailbox.hasWaiting { _ = tree.drainIfIdle() }
    }
}
