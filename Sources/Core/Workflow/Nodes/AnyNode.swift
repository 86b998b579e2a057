public import PlainValue

/// The untyped part of a node: its place in the tree. Nodes are kept between passes. A parent keeps
/// its children in the order in which it last rendered them, so a pass with the same children finds
/// each with a single comparison.
@usableFromInline
class AnyNode {
    /// The tree ends every node before it is released. A context may still hold an ended node,
    /// whose tree is ``WorkflowTree/ended``.
    @exclusivity(unchecked)
    @usableFromInline final private(set) var treeReference: Unmanaged<WorkflowTree>
    /// A parent ends its children before it is released. An ended node does not use its parent.
    @usableFromInline final unowned(unsafe) let parent: AnyNode?
    /// The Swift type of the workflow. Nodes with equal types may be cast to each other.
    @usableFromInline final let swiftType: ObjectIdentifier
    /// The node type that the workflow returns; see ``Workflow/nodeType``.
    @usableFromInline final let type: ObjectIdentifier
    @usableFromInline final let key: String
    @usableFromInline final let number: Int

    @exclusivity(unchecked)
    @usableFromInline final var children = ContiguousArray<AnyNode>()
    /// The number of children that the current render has found at their old places; past the end
    /// once it left their order.
    @exclusivity(unchecked)
    @usableFromInline final var cursor = 0
    /// The children of the current render, once one was not at its old place.
    @exclusivity(unchecked)
    final var reordering: KeptReordering?
    @exclusivity(unchecked)
    @usableFromInline final var effects: NodeEffects?

    /// The last pass in which the parent rendered this node.
    @exclusivity(unchecked)
    @usableFromInline final var pass = 0
    /// The last pass in which this node itself rendered.
    @exclusivity(unchecked)
    private final var renderedPass = 0
    /// The ``shownPass`` before this node's last render, used until the pass of that is good.
    @exclusivity(unchecked)
    private final var lastGoodRender = 0
    @exclusivity(unchecked)
    @usableFromInline final var site = CallSite.unknown
    /// The distance from the root, counted from one. It fits in bytes that the site leaves free.
    @usableFromInline final let depth: Int32
    /// The reasons to render this node in the next pass; empty if its last rendering still holds.
    @exclusivity(unchecked)
    @usableFromInline final var cause = RenderCause.first
    @exclusivity(unchecked)
    @usableFromInline final var isRendering = false
    @exclusivity(unchecked)
    final var hasEnded = false
    /// True if the node has not rendered since the last snapshot; read and written whole.
    @exclusivity(unchecked)
    final var wasInSnapshot = false
    /// The counter of applications, which advances when one begins and when it ends.
    @exclusivity(unchecked)
    @usableFromInline final var application = 0
    private final var madeLink: PathLink?

    /// The last snapshot of the node and its descendants, if it has children; read and written
    /// whole. Replacing it releases only values, which call nothing.
    @exclusivity(unchecked)
    final var lastSnapshot: LastSnapshot?

    @usableFromInline
    init(
        tree: WorkflowTree, parent: AnyNode?, swiftType: ObjectIdentifier, type: ObjectIdentifier,
        key: String, number: Int
    ) {
        assert(parent == nil || parent?.isRendering == true && parent?.tree === tree)
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

    @inlinable
    final var isPlain: Bool { treeReference._withUnsafeGuaranteedRef { $0.isPlain } }

    @usableFromInline
    final var isRestored: Bool { tree.restorer != nil }

    /// The name of the node's type; overridden by the typed node.
    var name: String { "" }

    @usableFromInline
    final var path: NodePath {
        if hasEnded { return link.path }
        return NodePath(sequence(first: self, next: \.parent).map(\.component).reversed())
    }

    final var component: NodePath.Component { NodePath.Component(name: name, key: key) }

    final var link: PathLink {
        if let madeLink { return madeLink }
        // No recursion: there may be more ancestors than fit on the stack.
        var ancestors: [AnyNode] = []
        var next = parent
        while let ancestor = next, ancestor.madeLink == nil {
            ancestors.append(ancestor)
            next = ancestor.parent
        }
        for ancestor in ancestors.reversed() { ancestor.makeLink() }
        return makeLink()
    }

    /// Makes the link of a node whose parent has one already.
    @discardableResult
    private final func makeLink() -> PathLink {
        let made = PathLink(component, parent: parent?.madeLink)
        madeLink = made
        return made
    }

    final var identity: NodeIdentity {
        NodeIdentity(id: number, parentID: parent?.number, path: path)
    }

    /// The pass of the shown render; a render in the current pass counts once that pass is good.
    final var shownPass: Int {
        renderedPass <= tree.lastGoodPass ? renderedPass : lastGoodRender
    }

    /// True if the last snapshot still describes the node and all its descendants.
    final var isAsInSnapshot: Bool { wasInSnapshot && !isDirty }

    /// Notes that this pass calls the workflow's own render, which interceptors may replace.
    @usableFromInline
    final func recordRender() {
        assert(isRendering)
        lastGoodRender = shownPass
        renderedPass = tree.pass
        if tree.notedRenders != nil { tree.notedRenders?.append((path, cause)) }
    }

    @inlinable
    final func matches(_ swiftType: ObjectIdentifier, _ type: ObjectIdentifier, _ key: String)
        -> Bool
    {
        self.swiftType == swiftType && self.type == type && self.key.hasSameBytes(as: key)
    }

    @inlinable
    final var isDirty: Bool { !cause.isEmpty }

    /// Makes this node and its ancestors render in the next pass.
    @inlinable
    final func setDirty(_ reason: RenderCause) {
        cause.insert(reason)
        var node = parent
        // A marked ancestor has marked its own ancestors, so the walk ends at the first one.
        while let ancestor = node, !ancestor.cause.contains(.descendant) {
            ancestor.cause.insert(.descendant)
            node = ancestor.parent
        }
        assert(isDirty && parent?.isDirty != false)
    }

    /// Ends nodes and all their descendants: effects stop, sinks go dead, values are released. No
    /// recursion: a tree may be deeper than the stack of the thread on which it ends.
    static func end(_ nodes: consuming ContiguousArray<AnyNode>) {
        nodes.reverse()
        // Parents come before their children here; nodes end in the opposite order.
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
                // Code that keeps the node may ask for its path, known while it has ancestors.
                if !isKnownUniquelyReferenced(&node) { _ = node.link }
                node.endAlone()
            }
        }
    }

    private final func endAlone() {
        assert(hasEnded && children.isEmpty)
        effects?.endAll()
        effects = nil
        tree.instruments?.reportEnd(of: self)
        endSinks()
        treeReference = .passUnretained(.ended)
    }

    /// The node's inputs and state as text. The typed node overrides this and all that follows.
    func describeValues() -> (inputs: String, state: String) { ("", "") }

    func snapshotState() throws -> StateSnapshot? { nil }

    func replaceState(by snapshot: StateSnapshot) throws {}

    func snapshotInputs() -> Value? { nil }

    var isWorker: Bool { false }

    /// Releases all that may refer back to this node.
    func releaseValues() {}

    func endSinks() {}
}
