import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

extension FlowCheckpoint {
    func node(at path: NodePath) -> TreeSnapshot.Node? {
        guard let tree, let first = path.components.first, first.name == tree.root.name else {
            return nil
        }
        var node = tree.root
        for component in path.components.dropFirst() {
            guard let index = node.index(of: component) else { return nil }
            node = node.children[index]
        }
        return node
    }

    /// The subtree of the node at a path, as a tree of its own.
    func subtree(at path: NodePath) -> FlowCheckpoint? {
        guard var node = node(at: path) else { return nil }
        node.key = ""
        var subtree = self
        subtree.tree = TreeSnapshot(root: node)
        subtree.props = node.inputs ?? .null
        subtree.ended = []
        return subtree
    }

    /// The checkpoint with changes undone.
    func putting(_ changes: [PastChange]) -> FlowCheckpoint {
        var other = self
        // All of a node at once: each one alone would copy the list that it is in.
        for (node, changes) in Dictionary(grouping: changes, by: \.node) {
            let changes = changes.map(\.change)
            guard let node else {
                other.props = other.props.putting(changes)
                continue
            }
            other.tree?.root.change(node.components.dropFirst()) { node in
                let value = (node.state?.value ?? .null).putting(changes)
                node.state?.value = value
            }
        }
        return other
    }
}

/// A change of a value, which can be undone.
struct PastChange: Hashable {
    /// The node whose state changed; `nil` for the props of the root.
    let node: NodePath?
    let change: ValueChange
}

extension TreeSnapshot.Node {
    fileprivate func index(of child: NodePath.Component) -> Int? {
        children.firstIndex { $0.name == child.name && $0.key == child.key }
    }

    fileprivate mutating func change(
        _ path: ArraySlice<NodePath.Component>, _ body: (inout TreeSnapshot.Node) -> Void
    ) {
        guard let first = path.first else { return body(&self) }
        guard let index = index(of: first) else { return }
        children[index].change(path.dropFirst(), body)
    }

    func all(at path: NodePath) -> [(path: NodePath, node: TreeSnapshot.Node)] {
        [(path, self)]
            + children.flatMap { child in
                child.all(at: NodePath(path.components + [.init(name: child.name, key: child.key)]))
            }
    }
}

extension Value {
    /// The value with some changes applied, one after the other.
    fileprivate func putting(_ changes: [ValueChange]) -> Value {
        (try? applying(changes)) ?? changes.reduce(self) { $0.putting($1) }
    }

    /// The value with one of several changes applied, without the ones before it.
    func putting(_ change: ValueChange) -> Value {
        if let changed = try? applying([change]) { return changed }
        var value = self
        let components = change.path.components
        let parent = ValuePath(Array(components.dropLast()))
        guard case .added(let new) = change.kind, case .list(var list)? = value[parent] else {
            return value
        }
        if case .key(let key)? = components.last {
            // An empty list can also be a record.
            if list.isEmpty { value[parent] = .record([key: new]) }
        } else {
            list.append(new)
            value[parent] = .list(list)
        }
        return value
    }
}
