import CThreadStack

/// The tree behind a host: runs one thing at a time, renders what it changed, and starts over.
///
/// Everything here happens on the isolation that owns the host.
@usableFromInline
final class WorkflowTree {
    @usableFromInline let configuration: HostConfiguration
    /// That of the configuration, to be read without a copy of the whole.
    @usableFromInline let maximumDepth: Int
    @usableFromInline let mailbox: Mailbox
    /// What looks at every step; `nil` when nothing does.
    let instruments: Instruments?
    /// Whether anybody wants to know of the events of workers.
    let reportsWorkers: Bool
    /// Whether steps may take the short way: nothing looks at them, and what is clean is skipped.
    @exclusivity(unchecked)
    @usableFromInline var isPlain: Bool
    @exclusivity(unchecked)
    @usableFromInline var root: AnyNode?
    /// The typed side of the host; `nil` until the first pass is complete, and after the end.
    @exclusivity(unchecked)
    var host: AnyTreeHost?
    @exclusivity(unchecked)
    @usableFromInline var traitsByType: [ObjectIdentifier: AnyObject] = [:]
    /// Those that were asked for last: siblings are mostly of one type.
    @exclusivity(unchecked)
    @usableFromInline var lastTraits: (type: ObjectIdentifier, traits: AnyObject)?
    /// The number of the node made last.
    @exclusivity(unchecked)
    @usableFromInline var lastNumber = 0

    /// Hands out the states of a snapshot during the first pass, or that of a return.
    @exclusivity(unchecked)
    var restorer: Restorer?
    /// What became of the snapshot from which the tree was started, if any.
    @exclusivity(unchecked)
    var restoration: Restoration?

    // What is under way.

    /// The number of the sent value that is being applied or was last, in the order of application.
    @exclusivity(unchecked)
    var sequence = 0

    @exclusivity(unchecked)
    var isBusy = false
    @exclusivity(unchecked)
    var isRendering = false
    /// Whether the end was asked for; it comes when what is under way is complete.
    @exclusivity(unchecked)
    var isEnding = false

    /// The nodes that were rendered, in order, if somebody wants to know of them. What is added is a path and a cause, which
    /// are made without looking here.
    @exclusivity(unchecked)
    var notedRenders: [(node: NodePath, cause: RenderCause)]?

    /// The second render of a node in strict mode, while that is under way.
    @exclusivity(unchecked)
    var replay: Replay?

    // The pass that is under way or was last.

    /// Its number.
    @exclusivity(unchecked)
    @usableFromInline var pass = 0
    /// The number of the last pass in which nothing failed.
    @exclusivity(unchecked)
    var lastGoodPass = 0
    /// What has failed in it so far.
    @exclusivity(unchecked)
    @usableFromInline var failures: [WorkflowFailure] = []
    /// What failed in the last pass that was completed.
    @exclusivity(unchecked)
    var lastFailures: [WorkflowFailure] = []
    /// Nodes whose set of children it changed, with the children they had.
    @exclusivity(unchecked)
    var changedChildren: [(node: AnyNode, before: ContiguousArray<AnyNode>)] = []
    /// Nodes with effects that rendered in it.
    @exclusivity(unchecked)
    var effectNodes: [AnyNode] = []

    @usableFromInline
    init(
        configuration: HostConfiguration, restoring snapshot: TreeSnapshot?, owner: (any Actor)?
    ) {
        self.configuration = configuration
        maximumDepth = configuration.maximumDepth
        instruments = Instruments(configuration)
        reportsWorkers = configuration.onWorkerEvent != nil || !configuration.observers.isEmpty
        restorer = snapshot.map { snapshot in
            let restorer = Restorer()
            restorer.add(snapshot.root, below: [])
            return restorer
        }
        isPlain = instruments == nil && !configuration.rendersEverything && restorer == nil
        mailbox = Mailbox(
            owner: owner, executor: configuration.executor, drains: configuration.drains,
            onReport: configuration.onReport)
        mailbox.tree = self
    }

    /// The tree of nodes that have ended: it reports, and takes nothing.
    ///
    /// Safe to share because nothing in it changes: it has no nodes of its own and its mailbox is closed.
    nonisolated(unsafe) static let ended: WorkflowTree = {
        let tree = WorkflowTree(configuration: HostConfiguration(), restoring: nil, owner: nil)
        _ = tree.mailbox.close()
        return tree
    }()

    /// What is known about a workflow type; found out once a tree.
    @inlinable
    func traits<W: Workflow>(of type: W.Type) -> NodeTraits<W> {
        let id = ObjectIdentifier(type)
        // The key is the type, so the casts always succeed.
        if let lastTraits, lastTraits.type == id {
            return unsafeDowncast(lastTraits.traits, to: NodeTraits<W>.self)
        }
        let known = traitsByType[id].map { unsafeDowncast($0, to: NodeTraits<W>.self) }
        let traits = known ?? NodeTraits<W>()
        if known == nil { traitsByType[id] = traits }
        lastTraits = (id, traits)
        return traits
    }

    /// Hands a report to the host's owner and to the observers.
    func report(_ report: WorkflowReport) {
        instruments?.report(report)
        configuration.onReport(report)
    }

    /// Stops a workflow that renders itself for ever, before the stack is full; there is no rendering to go on with.
    func checkStack(at node: AnyNode) {
        guard stack_room() < Self.stackReserve else { return }
        let report = WorkflowReport.stackNearlyFull(node.path.ending, depth: node.depth)
        self.report(report)
        // Unlike a precondition this shows its message in optimised builds.
        fatalError(report.description)
    }

    /// What renders between two checks may take, and the report.
    private static let stackReserve = 128 * 1024
}
