import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

/// Finds the causes of a value: undoes changes and renders again.
struct Counterfactuals {
    /// The maximum number of changes to try one by one.
    static let most = 64

    struct Cause {
        let change: PastChange
        let experiment: Experiment
        /// The value that the place has then; `nil` if there is none.
        let value: Value?
        /// The other causes that matter only together with this one.
        var others: [PastChange] = []
    }

    /// The changes of a tree that give the value another one.
    enum Experiment {
        case putBack([PastChange])
        /// Values that were replaced by others, because the tree cannot be rendered without them.
        case replaced([PastChange])

        var changes: [PastChange] {
            switch self {
            case .putBack(let changes), .replaced(let changes): changes
            }
        }
    }

    /// Changes that are undone together; only the first ones can be undone alone.
    private struct Group {
        let all: ArraySlice<PastChange>
        var back: ArraySlice<PastChange>

        init(_ all: ArraySlice<PastChange>) { (self.all, back) = (all, all) }

        init(_ all: ArraySlice<PastChange>, first count: Int) {
            assert((1...all.count).contains(count))
            (self.all, back) = (all, all.prefix(count))
        }
    }

    private(set) var causes: [Cause] = []
    /// The number of changes, tried or not.
    private(set) var count = 0

    private let place: Place
    private let past: Past
    /// The tree in which the value is explained.
    private let after: FlowCheckpoint
    private let experiment: ([PastChange]) -> Experiment

    /// Finds the changes between two moments that give a place its value.
    ///
    /// A change matters if the place has another value without it; not only if it then has the
    /// value from before, since several changes can each have a part in a value. Those that matter
    /// only together are looked for among the rest. Where a tree without a change cannot be
    /// rendered, another value is tried in its place.
    init(
        of place: Place, in past: Past, from before: FlowCheckpoint,
        to after: FlowCheckpoint
    ) throws(FlowError) {
        (self.place, self.past, self.after) = (place, past, after)
        experiment = Experiment.putBack
        guard let now = try past.outcome(at: place, after) else { return }
        let changes = try narrowed(Self.changes(from: before, to: after), now) {
            // Without a list's elements others are in their places.
            $0.otherwise ?? $0
        }
        let old = try past.outcome(at: place, before) ?? nil
        var rest: [Group] = []
        for group in changes.prefix(Self.most).groups {
            var found: (group: Group, value: Value?)?
            for count in 1...group.count {
                let group = Group(group, first: count)
                guard let value = try other(than: now, without: [group]) else { continue }
                // As many elements as it takes for the value from before, if they lead there.
                if found == nil || value == old { found = (group, value) }
                if value == old { break }
            }
            if let found {
                try add([found.group], found.value)
            } else if try !addReplaced(in: group, now) {
                rest.append(Group(group))
            }
        }
        try addJoint(among: rest, now)
    }

    /// The changes that can have an effect on the value, where there are too many to try each. Of a
    /// change, `experiment` returns the one to try.
    private mutating func narrowed(
        _ changes: [PastChange], _ now: Value?, _ experiment: (PastChange) -> PastChange
    ) throws(FlowError) -> [PastChange] {
        count = changes.count
        guard count > Self.most else { return changes }
        func hasEffect(_ changes: [PastChange]) throws(FlowError) -> Bool {
            try past.outcome(at: place, after.putting(changes.map(experiment))) != now
        }
        var kept: [PastChange] = []
        func search(_ changes: ArraySlice<PastChange>) throws(FlowError) {
            guard kept.count <= Self.most else { return }
            guard changes.count > 1 else { return kept += changes }
            // The effects of two can hide each other.
            let others = changes.indices.filter { $0 % 2 == 0 }.map { changes[$0] }
            let isKept = try hasEffect(Array(changes)) ? true : try hasEffect(others)
            guard isKept else { return }
            let middle = changes.startIndex + changes.count / 2
            try search(changes[..<middle])
            try search(changes[middle...])
        }
        try search(changes[...])
        if kept.count <= Self.most { count = kept.count }
        return kept
    }

    /// Adds the changes that matter only together.
    private mutating func addJoint(among groups: [Group], _ now: Value?) throws(FlowError) {
        var rest = groups
        var sets: [[Group]] = []
        while rest.count > 1, var value = try other(than: now, without: rest) {
            var needed = rest
            for index in needed.indices {
                let group = needed[index]
                for count in 0..<group.back.count {
                    needed[index].back = group.back.prefix(count)
                    if let smaller = try other(than: now, without: needed) {
                        value = smaller
                        break
                    }
                    needed[index] = group
                }
            }
            rest = zip(rest, needed).filter { $1.back.isEmpty }.map(\.0)
            sets.append(needed.filter { !$0.back.isEmpty })
            try add(sets[sets.count - 1], value)
        }
        // Others can do in place of one of those, such as the third of three of which two suffice.
        for group in rest {
            search: for set in sets {
                for index in set.indices {
                    var other = set
                    other[index] = group
                    guard let value = try self.other(than: now, without: other) else { continue }
                    let back = other.flatMap(\.back)
                    causes += group.back.map { change in
                        Cause(
                            change: change, experiment: experiment(back), value: value,
                            others: back.filter { $0 != change })
                    }
                    break search
                }
            }
        }
    }

    /// The value without some changes, if it is another one and can be rendered.
    private func other(than now: Value?, without groups: [Group]) throws(FlowError) -> Value?? {
        let tree = after.putting(groups.flatMap(\.back))
        guard let value = try past.outcome(at: place, tree), value != now else { return nil }
        return .some(value)
    }

    /// Adds the causes among undone changes: the elements of a list whose values matter.
    private mutating func add(_ groups: [Group], _ value: Value?) throws(FlowError) {
        let back = groups.flatMap(\.back)
        var found: [PastChange] = []
        for group in groups {
            var mattering: [PastChange] = []
            for change in try tried(group) {
                let isOther = try change.withOtherValues { (other) throws(FlowError) in
                    // It is not put back, but another value is in its place.
                    if change.isNew {
                        return try !past.isSame(place, after.putting([other]), after)
                    }
                    guard group.back.contains(change) else { return false }
                    let rest = back.map { $0 == change ? other : $0 }
                    return try past.outcome(at: place, after.putting(rest)) != .some(value)
                }
                if isOther { mattering.append(change) }
            }
            found += mattering.isEmpty ? Array(group.back) : mattering
        }
        causes += found.map { change in
            Cause(
                change: change, experiment: experiment(back), value: value,
                others: found.filter { $0 != change })
        }
    }

    /// The elements of a list that are tried one by one; none if there is only one.
    private func tried(_ group: Group) throws(FlowError) -> ArraySlice<PastChange> {
        guard group.all.count > 1 else { return [] }
        let others = group.all.dropFirst(group.back.count).filter(\.isNew).compactMap(\.otherwise)
        if others.isEmpty { return group.all }
        let now = try past.outcome(at: place, after)
        let isSame = try past.outcome(at: place, after.putting(others)) == now
        return isSame ? group.back : group.all
    }

    /// Adds those of some changes without which the tree cannot be rendered, and with another value
    /// in whose place the value is another one.
    private mutating func addReplaced(
        in group: ArraySlice<PastChange>, _ now: Value?
    ) throws(FlowError) -> Bool {
        var isFound = false
        for count in 1...group.count
        where try past.outcome(at: place, after.putting(Array(group.prefix(count)))) == nil {
            let change = group[group.startIndex + count - 1]
            var found: (other: PastChange, value: Value?)?
            _ = try change.withOtherValues { (other) throws(FlowError) in
                guard let value = try past.outcome(at: place, after.putting([other])), value != now
                else { return false }
                found = (other, value)
                return true
            }
            guard let found else { continue }
            causes.append(
                Cause(change: change, experiment: .replaced([found.other]), value: found.value))
            isFound = true
        }
        return isFound
    }

    /// Finds the initial values on which a place depends, each alone or together with others.
    init(of place: Place, in past: Past, at beginning: FlowCheckpoint) throws(FlowError) {
        (self.place, self.past, after) = (place, past, beginning)
        experiment = Experiment.replaced
        guard let now = try past.outcome(at: place, beginning) else { return }
        var values: [(node: NodePath?, value: Value)] = [(nil, beginning.props)]
        for (path, node) in beginning.nodes { values.append((path, node.state?.value ?? .null)) }
        let leaves = values.flatMap { node, value in
            value.leaves.compactMap { path -> PastChange? in
                guard let leaf = value[path], let other = leaf.others.first else { return nil }
                return PastChange(node, path, .changed(from: leaf, to: other))
            }
        }
        var rest: [Group] = []
        search: for leaf in try narrowed(leaves, now, { $0 }).prefix(Self.most) {
            guard case .changed(from: let value, to: _) = leaf.change.kind else { continue }
            let groups = value.others.map { other in
                Group([PastChange(leaf.node, leaf.change.path, .changed(from: value, to: other))])
            }
            for group in groups {
                guard let value = try other(than: now, without: [group]) else { continue }
                try add([group], value)
                continue search
            }
            if let group = groups.first { rest.append(group) }
        }
        try addJoint(among: rest, now)
    }

    private static func changes(
        from before: FlowCheckpoint, to after: FlowCheckpoint
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
        _ place: Place, _ one: FlowCheckpoint, _ other: FlowCheckpoint
    ) throws(FlowError) -> Bool {
        guard let one = try outcome(at: place, one), let other = try outcome(at: place, other)
        else { return true }
        return one == other
    }
}

extension ArraySlice<PastChange> {
    /// The changes in groups: elements that a list has more or fewer than before are one, since a
    /// list has no holes and only the first ones of a group can be put back without the others.
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
    fileprivate init(_ node: NodePath?, _ path: ValuePath, _ kind: ValueChange.Kind) {
        self.init(node: node, change: ValueChange(path: path, kind: kind))
    }

    /// The node and the list that has more or fewer elements than before; `nil` for other changes.
    fileprivate var list: PastChange? {
        guard case .index? = change.path.components.last else { return nil }
        switch change.kind {
        case .changed: return nil
        case .added, .removed:
            let path = ValuePath(Array(change.path.components.dropLast()))
            return PastChange(node, path, .added(.null))
        }
    }

    /// True if the present value was not there before, or was another one.
    fileprivate var isNew: Bool {
        if case .added = change.kind { false } else { true }
    }

    /// Another value in the place of the present one, in all of its leaves.
    fileprivate var otherwise: PastChange? {
        let value: Value
        switch change.kind {
        case .removed(let present), .changed(from: let present, to: _): value = present
        case .added: return nil
        }
        var other = value
        for leaf in value.leaves.prefix(Counterfactuals.most) {
            if let first = value[leaf]?.others.first { other[leaf] = first }
        }
        return PastChange(node, change.path, .changed(from: value, to: other))
    }

    /// True if a test holds with another value in one of the leaves of what is or was there.
    ///
    /// - Parameter test: Gets a change that puts the value there, for a present one into its place.
    fileprivate func withOtherValues(
        _ test: (PastChange) throws(FlowError) -> Bool
    ) throws(FlowError) -> Bool {
        let value =
            switch change.kind {
            case .added(let value), .removed(let value), .changed(from: let value, to: _): value
            }
        for leaf in value.leaves.prefix(Counterfactuals.most) {
            for other in value[leaf]?.others ?? [] {
                var changed = value
                changed[leaf] = other
                let kind: ValueChange.Kind =
                    isNew ? .changed(from: value, to: changed) : .added(changed)
                if try test(PastChange(node, change.path, kind)) { return true }
            }
        }
        return false
    }
}

extension FlowCheckpoint {
    var nodes: [(path: NodePath, node: TreeSnapshot.Node)] {
        tree.map { $0.root.all(at: NodePath([.init(name: $0.root.name)])) } ?? []
    }
}

extension Value {
    /// The paths of all values that contain no others.
    var leaves: [ValuePath] {
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

    /// The value with empty lists as records where `other` has records: Lua has one empty table.
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
    var others: [Value] {
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
