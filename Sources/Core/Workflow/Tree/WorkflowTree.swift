import CThread
import Timers

/// The tree behind a host: processes one step at a time, all on the isolation that owns the host.
@usableFromInline
final class WorkflowTree {
    @usableFromInline let options: HostOptions
    /// The maximum depth of the options, readable without copying the whole.
    @usableFromInline let maximumDepth: Int
    @usableFromInline let mailbox: Mailbox
    let instruments: Instruments?
    let reportsWorkers: Bool
    /// True if the clock does not pass by itself. All then is independent of real time.
    let isInVirtualTime: Bool
    /// True if steps may skip instruments and restoration, and clean nodes need not render.
    @exclusivity(unchecked)
    @usableFromInline var isPlain: Bool
    @exclusivity(unchecked)
    @usableFromInline var root: AnyNode?
    /// The typed side of the host; `nil` until the first pass is complete, and after the end.
    @exclusivity(unchecked)
    var host: AnyTreeHost?
    @exclusivity(unchecked)
    @usableFromInline var traitsByType: [ObjectIdentifier: AnyObject] = [:]
    /// The traits that were used last: most siblings have one type.
    @exclusivity(unchecked)
    @usableFromInline var lastTraits: (type: ObjectIdentifier, traits: AnyObject)?
    @exclusivity(unchecked)
    @usableFromInline var lastNumber = 0

    var restorer: Restorer?
    var restoration: Restoration?

    // The current step.

    /// The number of the last sent value whose application has begun, in order of application.
    @exclusivity(unchecked)
    var sequence = 0

    @exclusivity(unchecked)
    var isBusy = false
    @exclusivity(unchecked)
    var isRendering = false
    /// True if the tree ends after the current step.
    @exclusivity(unchecked)
    var isEnding = false

    /// The nodes that rendered, in order, if somebody has asked for them. An entry is made without
    /// reading this, so that no access needs a check for exclusivity.
    @exclusivity(unchecked)
    var notedRenders: [(node: NodePath, cause: RenderCause)]?

    var replay: Replay?

    /// The address below which each level of the tree is checked; see ``checkStack(at:)``. It is
    /// read and written whole, for each node of a pass.
    @exclusivity(unchecked)
    var stackFloor: UInt = 0
    /// The depth of the last checked node, and the stack that was left there. A node is rendered on
    /// the stack of its parent.
    private var checked = (depth: 0, room: 0)
    /// The most stack that a node has taken to render a child, in bytes.
    private var largestFrame = 0

    // The current pass, or the last one.

    /// Its number.
    @exclusivity(unchecked)
    @usableFromInline var pass = 0
    @exclusivity(unchecked)
    var lastGoodPass = 0
    @exclusivity(unchecked)
    @usableFromInline var failures: [WorkflowFailure] = []
    @exclusivity(unchecked)
    var lastFailures: [WorkflowFailure] = []
    /// Nodes whose set of children that pass changed, with their previous children.
    @exclusivity(unchecked)
    var changedChildren: [(node: AnyNode, before: ContiguousArray<AnyNode>)] = []
    /// Nodes with effects that rendered in that pass.
    @exclusivity(unchecked)
    var effectNodes: [AnyNode] = []

    @usableFromInline
    init(options: HostOptions, restoring snapshot: TreeSnapshot?, owner: (any Actor)?) {
        self.options = options
        maximumDepth = options.maximumDepth
        instruments = Instruments(options)
        let clock = options.clock
        isInVirtualTime =
            !(clock is TimerClock || clock is ContinuousClock || clock is SuspendingClock)
        reportsWorkers = options.onWorkerEvent != nil || !options.observers.isEmpty
        restorer = snapshot.map { snapshot in
            let restorer = Restorer()
            restorer.add(snapshot.root, below: [])
            return restorer
        }
        isPlain = instruments == nil && !options.rendersEverything && restorer == nil
        mailbox = Mailbox(
            owner: owner, executor: options.executor, drains: options.drains,
            isPumped: options.isPumped, onReport: options.onReport)
        // The tree and its mailbox hold each other until the mailbox closes: a tree whose host was
        // released elsewhere must live until its owner ends it.
        mailbox.tree = self
    }

    /// The tree of nodes that have ended: it reports, and accepts nothing. Safe to share because
    /// nothing in it changes: it has no nodes and its mailbox is closed.
    nonisolated(unsafe) static let ended: WorkflowTree = {
        let tree = WorkflowTree(options: HostOptions(), restoring: nil, owner: nil)
        _ = tree.mailbox.close()
        return tree
    }()

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

    func report(_ report: WorkflowReport) {
        instruments?.report(report)
        options.onReport(report)
    }

    /// Notes where the stack of the current thread ends, before a pass renders on it.
    func noteStack() { stackFloor = workflow_stack_floor(Self.watchedStack) }

    /// Stops a workflow that renders itself endlessly before the stack is full. There is no
    /// rendering to continue with. Called at each level of the watched end of the stack.
    func checkStack(at node: AnyNode) {
        let room = workflow_stack_room()
        let depth = Int(node.depth)
        if depth == checked.depth + 1, checked.room > room {
            largestFrame = max(largestFrame, checked.room - room)
        }
        checked = (depth, room)
        guard (0..<Self.stackReserve + 2 * largestFrame).contains(room) else { return }
        let report = WorkflowReport.stackNearlyFull(node.path.ending, depth: depth)
        self.report(report)
        // Unlike a precondition this shows its message in optimised builds.
        fatalError(report.description)
    }

    /// The bytes at the end of the stack in which the frames of nodes are measured.
    private static let watchedStack = 256 * 1024
    /// The stack that the report needs, in bytes.
    private static let stackReserve = 64 * 1024
}
