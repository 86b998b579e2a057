/// Runs a tree of workflows: holds the root, renders, takes actions, hands out renderings and outputs.
///
/// A host belongs to the isolation that makes it, most often an actor or the main actor, and everything in
/// the tree happens there, one thing at a time. Actions come through sinks. For each action: its cascade is
/// applied, the pass that it caused is rendered, the new rendering is published, the root's outputs are handed
/// out, and only then the next action is taken.
///
/// What the owner sends is applied at once, or right after what is under way. What comes from elsewhere waits until
/// the owner is free: never in the middle of the owner's own code. It is taken a part at a time, so that a fast worker
/// does not keep others from the owner.
///
/// A host that is made outside any actor belongs to the task or thread that uses it. Nobody can wake that one, so
/// what was sent from elsewhere is applied when it next uses the host: sends to it, updates it, or reads from it.
///
/// The tree ends with ``shutDown()`` or when the host is released.
public final class WorkflowHost<WorkflowType: Workflow> {
    @usableFromInline let tree: WorkflowTree
    @usableFromInline let root: Node<WorkflowType>
    @usableFromInline let treeHost: TreeHost<WorkflowType>

    /// Makes a host and renders `workflow` for the first time.
    ///
    /// - Parameters:
    ///   - workflow: The root.
    ///   - snapshot: The states to start from, if not afresh; see ``restoration``.
    ///   - configuration: Limits, and where failures are reported.
    ///   - isolation: The owner; leave it to its default.
    @inlinable
    public convenience init(
        workflow: WorkflowType, restoring snapshot: TreeSnapshot? = nil,
        configuration: HostConfiguration = HostConfiguration(),
        isolation: isolated (any Actor)? = #isolation
    ) {
        self.init(
            workflow: workflow, restoring: snapshot, configuration: configuration, owner: isolation)
    }

    /// Makes a host for an owner on whose isolation the caller is.
    @inlinable
    package init(
        workflow: WorkflowType, restoring snapshot: TreeSnapshot?,
        configuration: HostConfiguration, owner: (any Actor)?
    ) {
        let tree = WorkflowTree(
            configuration: configuration, restoring: snapshot, owner: owner)
        let root = Node(workflow: workflow, tree: tree, parent: nil, key: "")
        self.tree = tree
        self.root = root
        // The first rendering: a pass that begins before there is a host to publish it to.
        treeHost = TreeHost(root: root, rendering: tree.renderFirst(root) { root.render() }) {
            treeHost in
            let rendering = treeHost.root.render()
            if !treeHost.root.isDirty { treeHost.rendering = rendering }
        }
        tree.settleFirst(treeHost)
        treeHost.isBeingMade = false
    }

    deinit {
        if !tree.mailbox.shutDownOnOwner() { tree.shutDown() }
    }

    /// The rendering of the last good pass.
    public var rendering: WorkflowType.Rendering {
        touch()
        return treeHost.rendering
    }

    /// What failed in the last pass; empty if it was good.
    public var renderFailures: [WorkflowFailure] {
        touch()
        return tree.lastFailures
    }

    /// What became of the snapshot that the host was started from; `nil` if there was none.
    public var restoration: Restoration? { tree.restoration }

    /// Called after each pass with the new rendering, before the outputs of its action are handed out.
    public var onRendering: ((WorkflowType.Rendering) -> Void)? {
        get { treeHost.onRendering }
        set {
            treeHost.onRendering = newValue
            treeHost.hasListeners = true
        }
    }

    /// Called with each output of the root, after the rendering that its action led to was published.
    ///
    /// What the root emitted while the host was being made is handed out when the first listener is set, or
    /// the first stream of ``outputs`` made.
    public var onOutput: ((WorkflowType.Output) -> Void)? {
        get { treeHost.onOutput }
        set { treeHost.onOutput = newValue }
    }

    /// Called when an action, a worker's event or new inputs of the root have been dealt with in full: applied, rendered,
    /// published, outputs handed out. Says what became of them.
    public var onProcessed: ((SendOutcome) -> Void)? {
        get { treeHost.onProcessed }
        set { treeHost.onProcessed = newValue }
    }

    /// The nodes that were rendered since this was set to none, in order, each with its reasons; `nil` for not noting any.
    package var notedRenders: [(node: NodePath, cause: RenderCause)]? {
        get { tree.notedRenders }
        set { tree.notedRenders = newValue }
    }

    /// The renderings from now on, beginning with the current one.
    ///
    /// A reader that is slower than the host gets the latest and misses those between. Each call makes a stream of
    /// its own; any number may be read beside ``onRendering``.
    public var renderings: HostStream<WorkflowType.Rendering> {
        touch()
        return treeHost.makeRenderingStream()
    }

    /// The outputs of the root from now on; none is lost, however slow the reader.
    ///
    /// Each call makes a stream of its own; any number may be read beside ``onOutput``. An output comes after the
    /// rendering that its action led to was published.
    public var outputs: HostStream<WorkflowType.Output> {
        touch()
        return treeHost.makeOutputStream()
    }

    /// Gives the root new inputs and renders if they differ.
    ///
    /// While something is under way (from an observer, say) it takes effect when that is complete; after the end it
    /// does nothing.
    ///
    /// - Returns: What became of it.
    @discardableResult
    public func update(workflow: WorkflowType) -> SendOutcome {
        tree.mailbox.recordTouch()
        nonisolated(unsafe) let root = root
        nonisolated(unsafe) let workflow = workflow
        return tree.processOrQueue { if !root.hasEnded { root.update(workflow) } }
    }

    /// Ends all nodes, their workers and side effects; later actions are dropped and reported.
    public func shutDown() {
        tree.mailbox.recordTouch()
        tree.shutDown()
    }

    /// Applies at once what was sent from elsewhere until now and has not been taken yet.
    ///
    /// The owner may call this at any time; a host that an actor owns also takes what was sent by itself, as soon as
    /// its owner is free.
    public func settle() {
        tree.mailbox.recordTouch()
        if tree.mailbox.hasWaiting { tree.takeWaiting() }
    }

    /// Says that the owner uses the host; an unowned host takes on what others have sent.
    func touch() {
        tree.mailbox.recordTouch()
        tree.takeWaitingIfUnowned()
    }
}
