import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

/// Finds the causes of a value: undoes changes and renders again.
struct Counterfactuals {
    /// The maximum number of changes to try.
    static let most = 64

    /// A change that the value depends on.
    struct Cause {
        let change: PastChange
        /// The changes that are put back, this one among them, to get another value.
        let back: [PastChange]
        /// The value that the place has then; `nil` if there is none.
        let value: Value?
        /// The number of other causes that matter only together with this one.
        var others = 0
    }

    private(set) var causes: [Cause] = []
    /// The number of changes, tried or not.
    private(set) var count = 0

    /// Finds the changes between two moments that give a place its value.
    ///
    /// A change matters if the place has another value without it; not only if it then has the
    /// value from before, since several changes can each have a part in a value. Those that matter
    /// only together are looked for among the rest.
    init(
        of place: Place, in past: Past, from before: Timeline.Checkpoint,
        to after: Timeline.Checkpoint
    ) throws(FlowError) {
        let changes = Self.changes(from: before, to: after)
        count = changes.count
        guard let now = try past.outcome(at: place, after) else { return }
        let old = try past.outcome(at: place, before) ?? nil
        /// The value without some changes, if it is another one and can be rendered.
        func other(without changes: [PastChange]) throws(FlowError) -> Value?? {
            guard let value = try past.outcome(at: place, after.putting(changes)), value != now
            else { return nil }
            return .some(value)
        }
        /// Adds the causes in what was put back: of several elements of a list those whose values matter.
        func add(_ groups: [ArraySlice<PastChange>], _ value: Value?) throws(FlowError) {
            let back = groups.flatMap(\.self)
            var found: [PastChange] = []
            for group in groups {
                var mattering: [PastChange] = []
                for change in group where group.count > 1 {
                    let isOther = try change.withOtherValues { (other) throws(FlowError) in
                        let rest = back.map { $0 == change ? other : $0 }
                        return switch change.change.kind {
                        // It is not put back, but another value is in its place.
                        case .removed: try !past.isSame(place, after.putting([other]), after)
                        default: try past.outcome(at: place, after.putting(rest)) != .some(value)
                        }
                    }
                    if isOther { mattering.append(change) }
                }
                found += mattering.isEmpty ? Array(group) : mattering
            }
            causes += found.map {
                Cause(change: $0, back: back, value: value, others: found.count - 1)
            }
        }
        var rest: [ArraySlice<PastChange>] = []
        for group in changes.prefix(Self.most).groups {
            var found: (group: ArraySlice<PastChange>, value: Value?)?
            for count in 1...group.count {
                let group = group.prefix(count)
                guard let value = try other(without: Array(group)) else { continue }
                // As many elements as it takes for the value from before, if they lead there.
                if found == nil || value == old { found = (group, value) }
                if value == old { break }
            }
            if let found { try add([found.group], found.value) } else { rest.append(group) }
        }
        while rest.count > 1, var value = try other(without: rest.flatMap(\.self)) {
            var needed = rest
            for index in needed.indices {
                let group = needed[index]
                for count in 0..<group.count {
                    needed[index] = group.prefix(count)
                    if let smaller = try other(without: needed.flatMap(\.self)) {
                        value = smaller
                        break
                    }
                    needed[index] = group
                }
            }
            rest = zip(rest, needed).filter { $1.isEmpty }.map(\.0)
            try add(needed.filter { !$0.isEmpty }, value)
        }
    }

    /// Finds the initial values that a place depends on: another value would change the place.
    init(
        of place: Place, in past: Past, at beginning: Timeline.Checkpoint
    ) throws(FlowError) {
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
                if try past.isSame(place, beginning.putting([change]), beginning) { continue }
                causes.append(Cause(change: change, back: [change], value: nil))
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
            guard let old = before.node(at: path)?.state?.value, let new = node.state?.value else {
                continue
            }
            changes += new.shaped(as: old).differences(to: old.shaped(as: new)).map {
                PastChange(node: path, change: $0)
            }
        }
        return changes
    }
}

extension Past {
    /// True if a place holds the same in two trees, or if one of them cannot be rendered.
    fileprivate func isSame(
        _ place: Place, _ one: Timeline.Checkpoint, _ other: Timeline.Checkpoint
    ) throws(FlowError) -> Bool {
        guard let one = try outcome(at: place, one), let other = try outcome(at: place, other)
        else { return true }
        return one == other
    }
}

extension ArraySlice<PastChange> {
    /// The changes in groups: elements that a list has more or fewer than before are one, since a list has no holes and
    /// only the first ones of a group can be put back without the others.
    fileprivate var groups: [ArraySlice<PastChange>] {
        var groups: [ArraySlice<PastChange>] = []
        for index in indices {
            if let last = groups.last?.last, last.list != nil, last.list == self[index].list {
                groups[groups.count - 1] = self[groups[groups.count - 1].startIndex...index]
            } else {
                groups.append(self[index...index])
            }
        }
        return groups
    }
}

extension PastChange {
    /// The node and the list that has an element more or fewer than before; `nil` for other changes.
    fileprivate var list: PastChange? {
        guard case .index? = change.path.components.last else { return nil }
        switch change.kind {
        case .changed: return nil
        case .added, .removed:
            let path = ValuePath(Array(change.path.components.dropLast()))
            return PastChange(node: node, change: ValueChange(path: path, kind: .added(.null)))
        }
    }

    /// True if a test holds for the change with another value in one of the leaves of what was added or removed.
    ///
    /// - Parameter test: Gets a change that puts the value there, for a removed element into its place.
    fileprivate func withOtherValues(
        _ test: (PastChange) throws(FlowError) -> Bool
    ) throws(FlowError) -> Bool {
        guard let value = change.kind.elementValue else { return false }
        for leaf in value.leaves.prefix(Counterfactuals.most) {
            for other in value[leaf]?.others ?? [] {
                var changed = value
                changed[leaf] = other
                let kind: ValueChange.Kind =
                    switch change.kind {
                    case .added: .added(changed)
                    default: .changed(from: value, to: changed)
                    }
                let other = PastChange(
                    node: node, change: ValueChange(path: change.path, kind: kind))
                if try test(other) { return true }
            }
        }
        return false
    }
}

extension ValueChange.Kind {
    fileprivate var elementValue: Value? {
        switch self {
        case .added(let value), .removed(let value): value
        case .changed: nil
        }
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
