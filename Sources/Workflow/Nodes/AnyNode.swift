public import PlainValue

/// The part of a node that does not depend on its workflow's type: its place in the tree.
///
/// Nodes are kept between passes. A parent's children stand in the order in which it rendered them
/// last, so that a pass which renders the same children again finds each one with a single comparison.
@usableFromInline
class AnyNode {
    /// The tree ends every node before it goes; an ended node, which a context may still hold, has the tree that
    /// stands for all that have ended.
    @exclusivity(unchecked)
    @usableFromInline final private(set) var treeReference: Unmanaged<WorkflowTree>
    /// A parent outlives its children: it ends them before it goes. An ended node does not ask for it.
    @usableFromInline final unowned(unsafe) let parent: AnyNode?
    /// The Swift type of the workflow: nodes that agree in it may be cast to each other.
    @usableFromInline final let swiftType: ObjectIdentifier
    /// What the workflow says its type is; see ``Workflow/nodeType``.
    @usableFromInline final let type: ObjectIdentifier
    @usableFromInline final let key: String
    /// The number of the node in its tree, in the order of making.
    @usableFromInline final let number: Int
    @usableFromInline final let depth: Int

    @exclusivity(unchecked)
    @usableFromInline final var children = ContiguousArray<AnyNode>()
    /// How many children the render that is under way has found at their old places; past the end
    /// once it left their order.
    @exclusivity(unchecked)
    @usableFromInline final var cursor = 0
    /// The children of the render under way, once one was not at its old place.
    @exclusivity(unchecked)
    final var reordering: ChildReordering?
    /// Side effects and workers; most nodes have none.
    @exclusivity(unchecked)
    @usableFromInline final var effects: NodeEffects?

    /// The pass in which the parent rendered this node last.
    @exclusivity(unchecked)
    @usableFromInline final var pass = 0
    /// The pass in which this node itself rendered last.
    @exclusivity(unchecked)
    private final var renderedPass = 0
    /// The pass before that one in which it rendered, if that one has failed.
    @exclusivity(unchecked)
    private final var lastGoodRender = 0
    /// Where the parent's code rendered this node last.
    @exclusivity(unchecked)
    @usableFromInline final var site = CallSite.unknown
    /// Why this node must render in the next pass; empty if its last rendering still holds.
    @exclusivity(unchecked)
    @usableFromInline final var cause = RenderCause.first
    @exclusivity(unchecked)
    @usableFromInline final var isRendering = false
    @exclusivity(unchecked)
    final var hasEnded = false
    /// Whether the last snapshot was taken since the last render; read and written whole.
    @exclusivity(unchecked)
    final var wasInSnapshot = false
    /// Changes when an application of an action begins, and when it ends.
    @exclusivity(unchecked)
    @usableFromInline final var application = 0
    /// The path for what outlives the node; made when something does.
    @exclusivity(unchecked)
    private final var madeLink: PathLink?

    /// The last snapshot of the node and all below it, if it has children; read and written whole, and what is released
    /// then are values, which call nothing.
    @exclusivity(unchecked)
    final var lastSnapshot: LastSnapshot?

    @usableFromInline
    init(
        tree: WorkflowTree, parent: AnyNode?, swiftType: ObjectIdentifier, type: ObjectIdentifier,
        key: String, number: Int
    ) {
        treeReference = .passUnretained(tree)
        self.parent = parent
        self.swiftType = swiftType
        self.type = type
        self.key = key
        self.number = number
        depth = (parent?.depth ?? 0) + 1
    }

    @inlinable
    final var tree: WorkflowTree { treeReference.takeUnretainedValue() }

    /// Whether steps may take the short way; see ``WorkflowTree/isPlain``.
    @inlinable
    final var isPlain: Bool { treeReference._withUnsafeGuaranteedRef { $0.isPlain } }

    /// Whether states are being restored; once they are, steps may take the short way.
    @usableFromInline
    final var isRestored: Bool { tree.restorer != nil }

    /// The name of the node's type; overridden by the typed node.
    var name: String { "" }

    @usableFromInline
    final var path: NodePath {
        if hasEnded { return link.path }
        var components: [NodePath.Component] = []
        var node: AnyNode? = self
        while let current = node {
            components.append(current.component)
            node = current.parent
        }
        return NodePath(components.reversed())
    }

    /// The last component of the path.
    final var component: NodePath.Component { NodePath.Component(name: name, key: key) }

    /// The path in a form that may be kept when the node has gone.
    final var link: PathLink {
        if let madeLink { return madeLink }
        // No recursion: there may be more ancestors than the stack has room for.
        var ancestors: [AnyNode] = []
        var next = parent
        while let ancestor = next, ancestor.madeLink == nil {
            ancestors.append(ancestor)
            next = ancestor.parent
        }
        for ancestor in ancestors.reversed() { ancestor.makeLink() }
        return makeLink()
    }

    /// Makes the link, where the parent has one already.
    @discardableResult
    private final func makeLink() -> PathLink {
        let made = PathLink(component, parent: parent?.madeLink)
        madeLink = made
        return made
    }

    final var identity: NodeIdentity {
        NodeIdentity(id: number, parentID: parent?.number, path: path)
    }

    /// The pass of the render that is shown: the last one that was part of a good pass, or is part of the pass under way.
    final var shownPass: Int {
        renderedPass <= tree.lastGoodPass ? renderedPass : lastGoodRender
    }

    /// Whether the last snapshot has the node and all below it as they are now.
    final var isAsInSnapshot: Bool { wasInSnapshot && !isDirty }

    /// Says that the workflow's own render is called in the pass that is under way; an interceptor may replace it.
    @usableFromInline
    final func recordRender() {
        lastGoodRender = shownPass
        renderedPass = tree.pass
        if tree.notedRenders != nil { tree.notedRenders?.append((path, cause)) }
    }

    /// Whether this is the child that a parent asks for.
    @inlinable
    final func matches(_ swiftType: ObjectIdentifier, _ type: ObjectIdentifier, _ key: String)
        -> Bool
    {
        self.swiftType == swiftType && self.type == type && self.key.hasSameBytes(as: key)
    }

    /// Whether the state or the inputs of this node or of a descendant changed since its render.
    @inlinable
    final var isDirty: Bool { !cause.isEmpty }

    /// Says that this node must render in the next pass, and so must its ancestors.
    @inlinable
    final func setDirty(_ reason: RenderCause) {
        cause.insert(reason)
        var node = parent
        while let ancestor = node, !ancestor.cause.contains(.descendant) {
            ancestor.cause.insert(.descendant)
            node = ancestor.parent
        }
    }

    /// Ends nodes, one after the other, each with all below it: effects stop, sinks go dead, values are released.
    ///
    /// A tree may be deeper than the stack of the thread on which it ends, so it is not walked by recursion.
    static func end(_ nodes: consuming ContiguousArray<AnyNode>) {
        nodes.reverse()
        // Each parent before its children, which end in the opposite order.
        var ending: ContiguousArray<AnyNode> = []
        var left: ContiguousArray<AnyNode> = []
        while let next = nodes.popLast() {
            if next.hasEnded { continue }
            left.append(consume next)
            while let node = left.popLast() {
                node.hasEnded = true
                node.releaseValues()
                if !node.children.isEmpty {
                    left.append(contentsOf: node.children)
                    node.children = []
                }
                ending.append(consume node)
            }
            while var node = ending.popLast() {
                // Who keeps it may ask for its path, which it can tell while it has ancestors.
                if !isKnownUniquelyReferenced(&node) { _ = node.link }
                node.endAlone()
            }
        }
    }

    private final func endAlone() {
        effects?.endAll()
        effects = nil
        tree.instruments?.reportEnd(of: self)
        endSinks()
        treeReference = .passUnretained(.ended)
    }

    /// The node's inputs and state as text; overridden by the typed node.
    func describeValues() -> (inputs: String, state: String) { ("", "") }

    /// The state for a snapshot; overridden by the typed node.
    func snapshotState() throws -> StateSnapshot? { nil }

    /// Takes the state of a snapshot in place of its own; overridden by the typed node.
    func replaceState(by snapshot: StateSnapshot) throws {}

    /// The inputs for a snapshot; overridden by the typed node.
    func snapshotInputs() -> Value? { nil }

    /// Whether this is the node behind a worker; overridden by the typed node.
    var isWorker: Bool { false }

    /// Lets go of what may refer back to this node; overridden by the typed node.
    func releaseValues() {}

    /// Ends the sinks; overridden by the typed node.
    func endSinks() {}
}
