/// Finds children when a render does not follow the order of the last one: something was added,
/// removed or moved.
struct ChildReordering {
    private struct Identity: Hashable {
        let swiftType: ObjectIdentifier
        let type: ObjectIdentifier
        let key: String

        init(_ child: AnyNode) {
            swiftType = child.swiftType
            type = child.type
            key = child.key
        }

        init(swiftType: ObjectIdentifier, type: ObjectIdentifier, key: String) {
            self.swiftType = swiftType
            self.type = type
            self.key = key
        }
    }

    /// The children as they were before this render, for looking up and for putting back.
    let old: ContiguousArray<AnyNode>
    /// The children of this render so far.
    private(set) var next: ContiguousArray<AnyNode>
    /// Where in `old` the next child is likely to be.
    private var hint: Int
    /// Built at the first search that a few comparisons do not settle.
    private var index: [Identity: AnyNode]?

    /// Takes over from the fast path, which has found the first `count` children in place.
    init(old: ContiguousArray<AnyNode>, inPlace count: Int) {
        self.old = old
        next = ContiguousArray(old[..<count])
        if old.isEmpty { next.reserveCapacity(8) }
        hint = count
    }

    /// The child with this identity from the last render or already rendered in this one.
    mutating func find(
        _ swiftType: ObjectIdentifier, _ type: ObjectIdentifier, _ key: String
    ) -> AnyNode? {
        for place in hint..<max(hint, min(hint + 2, old.count))
        where old[place].matches(swiftType, type, key) {
            hint = place + 1
            return old[place]
        }
        if index == nil {
            if old.count + next.count <= 8 {
                return next.first { $0.matches(swiftType, type, key) }
                    ?? old.first { $0.matches(swiftType, type, key) }
            }
            var built: [Identity: AnyNode] = [:]
            built.reserveCapacity(old.count + next.count)
            for child in old { built[Identity(child)] = child }
            for child in next { built[Identity(child)] = child }
            index = built
        }
        return index?[Identity(swiftType: swiftType, type: type, key: key)]
    }

    /// Notes a child as rendered; a new one can be found by later searches.
    mutating func append(_ child: AnyNode) {
        next.append(child)
        if index != nil { index?[Identity(child)] = child }
    }
}
