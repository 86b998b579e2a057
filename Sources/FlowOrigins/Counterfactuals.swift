import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

/// Finds the causes of a value: undoes changes and renders again.
struct Counterfactuals {
    /// The maximum number of changes to try.
    static let most = 64

    /// The changes that the value depends on. If ``areTogether`` is true, it depends on them only in combination.
    var causes: [PastChange] = []
    /// Whether no change alone is a cause.
    var areTogether = false
    /// The number of changes.
    var count = 0

    /// Finds the changes between two moments that give a place its value.
    init(
        of place: PastFlow.Place, in past: PastFlow, from before: Timeline.Checkpoint,
        to after: Timeline.Checkpoint
    ) throws(FlowError) {
        let changes = Self.changes(from: before, to: after)
        count = changes.count
        let tried = Array(changes.prefix(Self.most))
        guard let old = try past.outcome(at: place, before) else { return }
        func isOld(without changes: [PastChange]) throws(FlowError) -> Bool {
            try past.outcome(at: place, after.putting(changes)) == .some(old)
        }
        for change in tried where try isOld(without: [change]) { causes.append(change) }
        guard causes.isEmpty, tried.count > 1, try isOld(without: tried) else { return }
        var needed = tried
        for change in tried where needed.count > 1 {
            let rest = needed.filter { $0 != change }
            if try isOld(without: rest) { needed = rest }
        }
        causes = needed
        areTogether = true
    }

    /// Finds the initial values that a place depends on: another value would change the place.
    init(
        of place: PastFlow.Place, in past: PastFlow, at beginning: Timeline.Checkpoint
    ) throws(FlowError) {
        guard let now = try past.outcome(at: place, beginning) else { return }
        var values: [(node: NodePath?, value: Value)] = [(nil, beginning.props)]
        for (path, node) in beginning.nodes { values.append((path, node.state?.value ?? .null)) }
        let leaves = values.flatMap { node, value in
            value.leaves.map { (node: node, path: $0, value: value[$0] ?? .null) }
        }
        count = leaves.count
        for leaf in leaves.prefix(Self.most) {
            for other in leaf.value.others {
                let change = PastChange(
                    node: leaf.node,
                    change: ValueChange(
                        path: leaf.path, kind: .changed(from: leaf.value, to: other)))
                guard let then = try past.outcome(at: place, beginning.putting([change])),
                    then != now
                else { continue }
                causes.append(change)
                break
            }
        }
    }

    private static func changes(
        from before: Timeline.Checkpoint, to after: Timeline.Checkpoint
    ) -> [PastChange] {
        var changes = after.props.differences(to: before.props).map {
            PastChange(node: nil, change: $0)
        }
        for (path, node) in after.nodes {
            guard let old = before.node(at: path)?.state?.value,
                let new = node.state?.value.shaped(as: old)
            else { continue }
            changes += new.differences(to: old).map { PastChange(node: path, change: $0) }
        }
        return changes
    }
}

extension Timeline.Checkpoint {
    fileprivate var nodes: [(path: NodePath, node: TreeSnapshot.Node)] {
        tree.map { $0.root.all(at: NodePath([.init(name: $0.root.name)])) } ?? []
    }
}

extension Value {
    /// The paths of all values that contain no others.
    fileprivate var leaves: [ValuePath] {
        switch self {
        case .record(let record) where !record.isEmpty:
            record.flatMap { key, value in
                value.leaves.map { ValuePath([.key(key)]).appending($0) }
            }
        case .list(let list) where !list.isEmpty:
            list.enumerated().flatMap { index, value in
                value.leaves.map { ValuePath([.index(index + 1)]).appending($0) }
            }
        default: [ValuePath()]
        }
    }

    /// The value, with an empty list as a record where `other` has a record: Lua does not distinguish them.
    fileprivate func shaped(as other: Value) -> Value {
        switch (self, other) {
        case (.list(let list), .record) where list.isEmpty: return .record([:])
        case (.record(var record), .record(let other)):
            for (key, value) in record {
                if let other = other[key] { record[key] = value.shaped(as: other) }
            }
            return .record(record)
        default: return self
        }
    }

    /// Values to try in its place.
    fileprivate var others: [Value] {
        switch self {
        case .bool(let bool): [.bool(!bool)]
        case .int(let int): [.int(int &+ 1)]
        case .double(let double): [.double(double + 1)]
        case .string(let text): [.string(text + "?")]
        case .list, .record: [[[:]], [""], [0]]
        case .null: []
        }
    }
}
