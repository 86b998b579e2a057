/// Runs a tree of workflows: owns the root, renders, applies actions, publishes the results.
///
/// ```swift
/// let host = WorkflowHost(workflow: Counter(step: 2))
/// host.rendering.onTap()
/// print(host.rendering.count)  // 2
/// ```
///
/// A host belongs to the isolation that creates it, most often an actor or the main actor.
/// Everything in the tree happens there, one step at a time. Actions come through sinks. For each
/// action the host applies its cascade, renders the pass, publishes the new rendering and then the
/// root's outputs. Only then does it process the next action.
///
/// An action that the owner sends is applied at once, or right after the current step. Actions from
/// elsewhere wait until the owner is free; they are never applied in the middle of the owner's
/// code. They are processed in parts, so that a fast worker does not block the owner.
///
/// A host that is created outside any actor, as in the initial value of a property, belongs to the
/// task or thread that uses it. On the main actor or the main thread that is the main actor.
/// Elsewhere it is the actor from which a sink is used first. This includes a plain `init` of an
/// actor, which does not run there. Until then the host cannot be woken, so actions from elsewhere
/// are applied at its next use: a send, an update or a read. A line on standard error tells of the
/// first action that waits so. Such a host may be handed on while its sinks are used: a sink
/// changes it at once only if nobody else has used it since, and else queues the action.
///
/// The tree ends with ``shutDown()`` or when the host is released.
public final class WorkflowHost<WorkflowType: Workflow> {
    @usableFromInline let tree: WorkflowTree
    @usableFromInline let root: Node<WorkflowType>
    /// Released before the nodes end, so that a sink that only the rendering holds ends with its
    /// node. Read and written whole.
    @exclusivity(unchecked)
    @usableFromInline var treeHost: TreeHost<WorkflowType>!

    /// Makes a host and renders `workflow` for the first time.
    ///
    /// ```swift
    /// let later = WorkflowHost(workflow: Draft(), restoring: saved)
    /// print(later.rendering.text)  // Dear Ada
    /// ```
    ///
    /// - Parameters:
    ///   - snapshot: The states to start from, or `nil` for new states; see ``restoration``.
    ///   - isolation: The owner; leave it to its default.
    @inlinable
    public convenience init(
        workflow: WorkflowType, restoring snapshot: TreeSnapshot? = nil,
        options: HostOptions = HostOptions(), isolation: isolated (any Actor)? = #isolation
    ) {
        self.init(workflow: workflow, restoring: snapshot, options: options, owner: isolation)
    }

    /// Makes a host when the caller is on the owner's isolation.
    @inlinable
    package init(
        workflow: WorkflowType, restoring snapshot: TreeSnapshot?, options: HostOptions,
        owner: (any Actor)?
    ) {
        let tree = WorkflowTree(options: options, restoring: snapshot, owner: owner)
        let root = Node(workflow: workflow, tree: tree, parent: nil, key: "")
        self.tree = tree
        self.root = root
        // The first pass begins before there is a host to publish its rendering to.
        treeHost = TreeHost(root: root, rendering: tree.renderFirst(root) { root.render() }) {
            treeHost in
            let rendering = treeHost.root.render()
            if !treeHost.root.isDirty { treeHost.rendering = rendering }
        }
        tree.settleFirst(treeHost)
        treeHost.isBeingMade = false
    }

    deinit {
        // A sink may be at work on another thread. This waits until it is done.
        tree.mailbox.recordTouch()
        treeHost = nil
        if !tree.mailbox.shutDownOnOwner() { tree.shutDown() }
    }

    /// The rendering of the last good pass.
    public var rendering: WorkflowType.Rendering {
        touch()
        return treeHost.rendering
    }

    /// The failures of the last pass; empty if it succeeded.
    public var renderFailures: [WorkflowFailure] {
        touch()
        return tree.lastFailures
    }

    /// The result of restoring the snapshot; `nil` if there was none.
    public var restoration: Restoration? { tree.restoration }

    /// Called after each pass with the new rendering, before the outputs of its action.
    public var onRendering: ((WorkflowType.Rendering) -> Void)? {
        get { treeHost.onRendering }
        set {
            tree.mailbox.recordTouch()
            treeHost.onRendering = newValue
            treeHost.hasListeners = true
        }
    }

    /// Called with each output of the root, after the rendering that follows its action. Outputs
    /// during `init` go to the first listener or the first stream of ``outputs``.
    public var onOutput: ((WorkflowType.Output) -> Void)? {
        get { treeHost.onOutput }
        set {
            tree.mailbox.recordTouch()
            treeHost.onOutput = newValue
        }
    }

    /// Called with the outcome when an action, a worker's event or new inputs of the root have been
    /// processed completely: applied, rendered, published, outputs delivered.
    public var onProcessed: ((SendOutcome) -> Void)? {
        get { treeHost.onProcessed }
        set {
            tree.mailbox.recordTouch()
            treeHost.onProcessed = newValue
        }
    }

    /// The nodes that rendered since this was set to an empty array, in order, each with its
    /// reasons. `nil` turns this off.
    package var notedRenders: [(node: NodePath, cause: RenderCause)]? {
        get { tree.notedRenders }
        set { tree.notedRenders = newValue }
    }

    /// The renderings from now on, beginning with the current one. Each call makes a new stream;
    /// any number can be read beside ``onRendering``.
    ///
    /// - Important: A slow reader gets the latest rendering and misses those between.
    public var renderings: HostStream<WorkflowType.Rendering> {
        touch()
        return treeHost.makeRenderingStream()
    }

    /// The outputs of the root from now on, each after the rendering that its action led to. Each
    /// call makes a new stream; any number can be read beside ``onOutput``.
    ///
    /// - Important: No output is lost: those that a slow reader has not read wait in memory.
    public var outputs: HostStream<WorkflowType.Output> {
        touch()
        return treeHost.makeOutputStream()
    }

    /// Gives the root new inputs and renders if they differ.
    ///
    /// During a step, as in an observer, it takes effect after that; after the end it does nothing.
    ///
    /// ```swift
    /// host.update(workflow: Counter(step: 5))  // applied: the next tap adds 5
    /// ```
    @discardableResult
    public func update(workflow: WorkflowType) -> SendOutcome {
        tree.mailbox.recordTouch()
        // Sound because the tree runs the change on its owner, now or after the current step.
        nonisolated(unsafe) let root = root
        nonisolated(unsafe) let workflow = workflow
        return tree.processOrQueue { if !root.hasEnded { root.update(workflow) } }
    }

    /// Ends all nodes, their workers and side effects; later actions are dropped and reported.
    ///
    /// ```swift
    /// host.shutDown()
    /// host.rendering.onTap()  // dropped and reported
    /// ```
    public func shutDown() {
        tree.mailbox.recordTouch()
        tree.shutDown()
    }

    /// Applies all actions from elsewhere that are still waiting.
    ///
    /// The owner may call this at any time. A host of an actor also applies them when that is free.
    ///
    /// ```swift
    /// await Task.detached { sink.send("from elsewhere") }.value  // queued
    /// host.settle()  // applied
    /// ```
    public func settle() {
        tree.mailbox.recordTouch()
        if tree.mailbox.hasWaiting { tree.takeWaiting() }
    }

    /// Notes that the owner uses the host; an unowned host then processes what others have sent.
    func touch() {
        tree.mailbox.recordTouch()
        tree.takeWaitingIfUnowned()
    }
}
