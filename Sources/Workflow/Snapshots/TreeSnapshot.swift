public import PlainValue

/// The states of a tree's nodes at one moment, for starting a tree from them later.
///
/// A node's state is in it if it is `Codable`, or if its workflow is a ``SnapshottingWorkflow``. Nodes are found again by
/// their names and keys from the root down, so a type that is renamed needs a ``Workflow/nodeName``
/// that stays. Workers are not in it: they start anew.
public struct TreeSnapshot: Codable, Hashable, Sendable {
    /// One node.
    public struct Node: Codable, Hashable, Sendable {
        /// The name of its type.
        public var name: String
        /// The key under which its parent renders it.
        public var key: String
        /// Its state; `nil` if it has none to keep.
        public var state: StateSnapshot?
        /// Its inputs, where its workflow is `Encodable`; for those who read the snapshot. A restored node gets
        /// its inputs from its parent.
        public var inputs: Value?
        /// Its children, in the order of the last render.
        public var children: [Node]

        /// A node from its parts.
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

    /// A node whose state could not be kept or restored.
    public struct Loss: Codable, Hashable, Sendable, CustomStringConvertible {
        /// Where it stands.
        public var path: String
        /// Why.
        public var reason: String

        /// The path and the reason.
        public var description: String { "\(path): \(reason)" }
    }

    /// The root.
    public var root: Node

    /// The nodes whose states are not in it although they have some.
    public var lost: [Loss]

    /// A snapshot from its parts.
    public init(root: Node, lost: [Loss] = []) {
        self.root = root
        self.lost = lost
    }
}

extension WorkflowHost {
    /// The states of all nodes now.
    ///
    /// Nodes that stand too deep for the stack of the thread are left out; ``TreeSnapshot/lost`` has the paths of those
    /// above them.
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
        var state: StateSnapshot?
        do {
            state = try snapshotState()
        } catch {
            lost.append(TreeSnapshot.Loss(path: "\(path)", reason: codingReason(error)))
        }
        var kept = children.filter { !$0.isWorker }
        if stack.isUsedUp, !kept.isEmpty {
            kept = []
            lost.append(
                TreeSnapshot.Loss(
                    path: "\(path)",
                    reason:
                        "its children are \(depth + 1) nodes deep; take the snapshot on a thread with a larger stack"
                ))
        }
        return TreeSnapshot.Node(
            name: name, key: key, state: state, inputs: snapshotInputs(),
            children: kept.map { $0.makeSnapshot(within: stack, &lost) })
    }
}
