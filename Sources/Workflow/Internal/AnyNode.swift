/// The part of a node that does not depend on its workflow's type: its place in the tree.
///
/// Nodes are kept between passes. A parent's children stand in the order in which it rendered them
/// last, so that a pass which renders the same children again finds each one with a single comparison.
@usableFromInline
class AnyNode {
    /// The tree ends every node before it goes, and an ended node never asks for it.
    @usableFromInline final unowned(unsafe) let tree: WorkflowTree
    /// A parent outlives its children: it ends them before it goes.
    @usableFromInline final unowned(unsafe) let parent: AnyNode?
    /// The Swift type of the workflow: nodes that agree in it may be cast to each other.
    @usableFromInline final let swiftType: ObjectIdentifier
    /// What the workflow says its type is; see ``Workflow/nodeType``.
    @usableFromInline final let type: ObjectIdentifier
    @usableFromInline final let key: String
    @usableFromInline final let depth: Int

    @exclusivity(unchecked)
    @usableFromInline final var children = ContiguousArray<AnyNode>()
    /// How many children the render that is under way has found at their old places; past the end
    /// once it left their order.
    @exclusivity(unchecked)
    @usableFromInline final var cursor = 0
    /// The children of the render under way, from the first one on that was not at its old place.
    @exclusivity(unchecked)
    final var reordering: ChildReordering?
    /// Side effects and workers; most nodes have none.
    @exclusivity(unchecked)
    final var effects: NodeEffects?

    /// The pass in which the parent rendered this node last.
    @exclusivity(unchecked)
    @usableFromInline final var pass = 0
    /// Where the parent's code rendered this node last.
    @exclusivity(unchecked)
    @usableFromInline final var site = CallSite.unknown
    /// Whether the state or the inputs of this node or of a descendant changed since its render.
    @exclusivity(unchecked)
    @usableFromInline final var isDirty = true
    @exclusivity(unchecked)
    @usableFromInline final var isRendering = false
    @exclusivity(unchecked)
    final var hasEnded = false

    @usableFromInline
    init(
        tree: WorkflowTree, parent: AnyNode?, swiftType: ObjectIdentifier, type: ObjectIdentifier,
        key: String
    ) {
        self.tree = tree
        self.parent = parent
        self.swiftType = swiftType
        self.type = type
        self.key = key
        depth = (parent?.depth ?? 0) + 1
    }

    /// The name of the node's type; overridden by the typed node.
    var name: String { "" }

    @usableFromInline
    final var path: NodePath {
        var components: [NodePath.Component] = []
        var node: AnyNode? = self
        while let current = node {
            components.append(.init(name: current.name, key: current.key))
            node = current.parent
        }
        return NodePath(components.reversed())
    }

    /// Whether this is the child that a parent asks for.
    @inlinable
    final func matches(_ swiftType: ObjectIdentifier, _ type: ObjectIdentifier, _ key: String) -> Bool {
        self.swiftType == swiftType && self.type == type && self.key == key
    }

    /// Says that this node must render in the next pass, and so must its ancestors.
    @inlinable
    final func setDirty() {
        isDirty = true
        var node = parent
        while let ancestor = node, !ancestor.isDirty {
            ancestor.isDirty = true
            node = ancestor.parent
        }
    }

    /// Ends this node and all below it: effects stop, sinks go dead, values are released.
    final func end() {
        guard !hasEnded else { return }
        hasEnded = true
        for child in children { child.end() }
        children = []
        effects?.endAll()
        effects = nil
        releaseValues()
    }

    /// Lets go of what may refer back to this node; overridden by the typed node.
    func releaseValues() {}
}

/// A line of source, kept with a node so that a message can name both places of a clash.
@usableFromInline
struct CallSite: Sendable {
    @usableFromInline var file: StaticString
    @usableFromInline var line: UInt32

    @inlinable
    init(file: StaticString, line: UInt) {
        self.file = file
        self.line = UInt32(truncatingIfNeeded: line)
    }

    @usableFromInline static let unknown = CallSite(file: "", line: 0)

    var description: String { "\(file):\(line)" }
}
