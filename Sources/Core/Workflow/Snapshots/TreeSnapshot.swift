public import PlainValue

/// The states of a tree's nodes at one moment, from which a tree can be started later.
///
/// ```swift
/// let saved = host.makeSnapshot()
/// let later = WorkflowHost(workflow: Draft(), restoring: saved)
/// ```
///
/// It has a node's state if that is `Codable`, or if its workflow is a ``SnapshottingWorkflow``.
/// Workers are not saved: they start again.
///
/// - Important: Nodes are matched by their names and keys from the root down, so a renamed type
///   needs a constant ``Workflow/nodeName``.
public struct TreeSnapshot: Codable, Hashable, Sendable {
    /// One node.
    public struct Node: Codable, Hashable, Sendable {
        /// The name of its type.
        public var name: String
        /// The key under which its parent renders it.
        public var key: String
        /// Its state; `nil` if it has none to save.
        public var state: StateSnapshot?
        /// Its inputs, if its workflow is `Encodable`; for readers of the snapshot. A restored node
        /// gets its inputs from its parent.
        public var inputs: Value?
        /// Its children, in the order of the last render.
        public var children: [Node]

        /// Makes a node from its parts.
        ///
        /// ```swift
        /// let draft = TreeSnapshot.Node(name: "Draft", state: StateSnapshot(.string("Dear Ada")))
        /// ```
        ///
        /// - Parameters:
        ///   - name: The name of the node's type; see ``Workflow/nodeName``.
        ///   - key: The key that its parent gave it; empty by default.
        ///   - state: The state; `nil` if the node starts with a new one.
        ///   - inputs: The inputs, for readers only; `nil` if they cannot be encoded.
        ///   - children: The nodes below, in the order of the last render.
        public init(
            name: String, key: String = "", state: StateSnapshot? = nil,
            inputs: Value? = nil, children: [Node] = []
        ) {
            self.name = name
            self.key = key
            self.state = state
            self.inputs = inputs
            self.children = children
        }
    }

    /// A node whose state could not be saved or restored.
    public struct Loss: Codable, Hashable, Sendable, CustomStringConvertible {
        /// The path of the node.
        public var path: NodePath
        /// The reason.
        public var reason: String

        /// The path and the reason.
        public var description: String { "\(path): \(reason)" }

        static func twice(_ path: NodePath, _ subject: String) -> Loss {
            Loss(
                path: path,
                reason: """
                    \(subject) two nodes of this name and key, and only the first gets its state; \
                    give one of them another key or `nodeName`
                    """)
        }
    }

    /// The root.
    public var root: Node

    /// The nodes whose states could not be saved.
    public var lost: [Loss]

    /// Makes a snapshot from its parts.
    ///
    /// ```swift
    /// let saved = TreeSnapshot(root: TreeSnapshot.Node(name: "Draft"))  // Draft starts anew
    /// ```
    public init(root: Node, lost: [Loss] = []) {
        self.root = root
        self.lost = lost
    }
}

extension WorkflowHost {
    /// Saves the states of all nodes.
    ///
    /// ```swift
    /// let saved = host.makeSnapshot()
    /// print(saved.lost.map(\.path))  // [] if every state was saved
    /// ```
    ///
    /// - Important: Nodes that are too deep for the stack of the thread are left out;
    ///   ``TreeSnapshot/lost`` has the paths of their ancestors.
    public func makeSnapshot() -> TreeSnapshot {
        touch()
        var lost: [TreeSnapshot.Loss] = []
        let root = root.makeSnapshot(within: StackShare(), &lost)
        return TreeSnapshot(root: root, lost: lost)
    }
}

extension AnyNode {
    fileprivate final func makeSnapshot(
        within stack: StackShare, _ lost: inout [TreeSnapshot.Loss]
    ) -> TreeSnapshot.Node {
        if isAsInSnapshot, let lastSnapshot { return lastSnapshot.node }
        let lossCount = lost.count
        var state: StateSnapshot?
        do {
            state = try snapshotState()
        } catch {
            lost.append(TreeSnapshot.Loss(path: path, reason: codingReason(error)))
        }
        let node = TreeSnapshot.Node(
            name: name, key: key, state: state, inputs: snapshotInputs(),
            children: makeSnapshotsOfChildren(within: stack, &lost))
        // Lost states are listed in each snapshot.
        wasInSnapshot = lost.count == lossCount && !tree.isRendering
        // The snapshot of a node without children is quick to make.
        lastSnapshot =
            wasInSnapshot && !children.isEmpty ? LastSnapshot(node, of: self) : nil
        return node
    }

    /// The snapshots of the children. Unchanged ones are shared with the last snapshot.
    private final func makeSnapshotsOfChildren(
        within stack: StackShare, _ lost: inout [TreeSnapshot.Loss]
    ) -> [TreeSnapshot.Node] {
        let last = lastSnapshot
        if let last, last.holds(children) { return last.node.children }
        let kept = children.filter { !$0.isWorker }
        if stack.isUsedUp, !kept.isEmpty {
            lost.append(
                TreeSnapshot.Loss(
                    path: path,
                    reason: """
                        its children are \(depth + 1) nodes deep; take the snapshot on a thread \
                        with a larger stack
                        """))
            return []
        }
        let snapshots = kept.indices.map { index in
            if let last, last.holds(kept[index], at: index) { return last.node.children[index] }
            return kept[index].makeSnapshot(within: stack, &lost)
        }
        lost += namesakes(among: kept, snapshots).map { .twice($0.path, "the tree has") }
        return snapshots
    }
}

/// The children with something to keep that share name and key with an earlier one.
private func namesakes(
    among children: [AnyNode], _ snapshots: [TreeSnapshot.Node]
) -> [AnyNode] {
    // Children of one type have keys of their own.
    guard let first = children.first,
        !children.allSatisfy({ $0.type == first.type && $0.swiftType == first.swiftType })
    else { return [] }
    var seen: Set<NodePath.Component> = []
    return zip(children, snapshots).filter { _, snapshot in
        snapshot.state != nil || !snapshot.children.isEmpty
    }.map(\.0).filter { !seen.insert($0.component).inserted }
}

final class LastSnapshot {
    let node: TreeSnapshot.Node
    private let height: Int
    /// The maximum depth of nodes: the stack on which they are released may be small.
    private static let mostHeight = 32

    init?(_ snapshot: TreeSnapshot.Node, of node: AnyNode) {
        let heights = node.children.lazy.map { child in
            child.children.isEmpty ? 0 : child.lastSnapshot?.height ?? Self.mostHeight
        }
        height = 1 + (heights.max() ?? 0)
        self.node = snapshot
        if height > Self.mostHeight { return nil }
    }

    /// True if the snapshot has exactly these children, and none of them has changed since.
    func holds(_ children: ContiguousArray<AnyNode>) -> Bool {
        children.count == node.children.count
            && children.indices.allSatisfy { holds(children[$0], at: $0) }
    }

    func holds(_ child: AnyNode, at index: Int) -> Bool {
        child.isAsInSnapshot && index < node.children.count
            && child.key == node.children[index].key && child.name == node.children[index].name
    }
}
