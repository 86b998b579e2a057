import PlainValue

/// Hands the states of a snapshot to the nodes that a pass makes.
final class Restorer {
    private var waiting: [NodePath: StateSnapshot] = [:]
    private var order: [NodePath] = []
    /// The paths at which the tree has another node, to which the states below do not belong.
    private var foreign: [NodePath] = []
    private var result = Restoration()

    func add(_ node: TreeSnapshot.Node, below parents: [NodePath.Component]) {
        // No recursion: the stack may be smaller than that of the thread that took the snapshot.
        var left = [(node: node, parents: parents)]
        while let (node, parents) = left.popLast() {
            let components = parents + [NodePath.Component(name: node.name, key: node.key)]
            if let state = node.state {
                let path = NodePath(components)
                if waiting[path] == nil {
                    waiting[path] = state
                    order.append(path)
                } else {
                    result.lost.append(.twice(path, "the snapshot has"))
                }
            }
            left.append(contentsOf: node.children.reversed().map { ($0, components) })
        }
    }

    func state<W: Workflow>(for workflow: W, at path: NodePath) -> W.State? {
        let belongsElsewhere = foreign.contains { path.components.starts(with: $0.components) }
        guard !belongsElsewhere, let snapshot = waiting.removeValue(forKey: path) else {
            if StateSnapshots.areKept(by: workflow) { result.missing.append(path) }
            return nil
        }
        do {
            return try StateSnapshots.restore(snapshot, for: workflow)
        } catch is StateOfAnotherNode {
            waiting[path] = snapshot
            foreign.append(path)
            result.missing.append(path)
            return nil
        } catch {
            result.lost.append(TreeSnapshot.Loss(path: path, reason: codingReason(error)))
            return nil
        }
    }

    func finish() -> Restoration {
        result.orphaned = order.filter { waiting[$0] != nil }
        return result
    }
}

/// The result of starting a host from a snapshot.
public struct Restoration: Hashable, Sendable {
    /// Nodes of the first pass whose state the snapshot lacks; they started with a new one.
    public var missing: [NodePath] = []
    /// Nodes with a state in the snapshot that the first pass did not render.
    public var orphaned: [NodePath] = []
    /// Nodes whose state could not be restored; they started with a new state.
    public var lost: [TreeSnapshot.Loss] = []

    /// Makes a complete restoration.
    public init() {}

    /// True if every state was restored.
    public var isComplete: Bool { missing.isEmpty && orphaned.isEmpty && lost.isEmpty }
}
