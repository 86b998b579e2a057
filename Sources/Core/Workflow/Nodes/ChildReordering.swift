/// A reordering under way. It lies outside the node, since few nodes have one at a time.
final class KeptReordering {
    // Only the render of the node touches it, on the isolation of the host.
    @exclusivity(unchecked)
    var children: ChildReordering

    init(_ children: consuming ChildReordering) { self.children = children }
}

/// Finds children when a render leaves the order of the last one: one was added, removed or moved.
struct ChildReordering {
    /// The children before this render, to look them up and to restore them.
    let old: ContiguousArray<AnyNode>
    private(set) var next: ContiguousArray<AnyNode>
    /// The index in `old` at which the next child is likely to be.
    private var hint: Int
    /// Built by the first search that needs more than a few comparisons.
    private var index: ChildIndex?
    /// The hash of the key that the last search did not find in the index.
    private var missedHash: Int?

    /// Continues for the fast path, which has found the first `count` children in place.
    init(old: ContiguousArray<AnyNode>, inPlace count: Int) {
        assert(count <= old.count)
        self.old = old
        next = ContiguousArray(old[..<count])
        next.reserveCapacity(max(old.count, 4))
        hint = count
    }

    mutating func find(
        _ swiftType: ObjectIdentifier, _ type: ObjectIdentifier, _ key: String
    ) -> AnyNode? {
        missedHash = nil
        // Most often the next child stands here, or one further if a child was removed.
        for place in hint..<max(hint, min(hint + 2, old.count))
        where old[place].matches(swiftType, type, key) {
            hint = place + 1
            return old[place]
        }
        if index == nil {
            // So few are compared faster than they are entered in an index.
            if old.count + next.count <= 8 {
                return next.first { $0.matches(swiftType, type, key) }
                    ?? old.first { $0.matches(swiftType, type, key) }
            }
            var built = ChildIndex(minimumCapacity: old.count + next.count)
            for child in old { built.insert(child, hash: ChildIndex.hash(child.key)) }
            for child in next { built.insert(child, hash: ChildIndex.hash(child.key)) }
            index = built
        }
        let hash = ChildIndex.hash(key)
        let found = index?.find(swiftType, type, key, hash: hash)
        if found == nil { missedHash = hash }
        return found
    }

    /// Notes a child as rendered, so that later searches can find a new one.
    mutating func append(_ child: AnyNode) {
        assert(missedHash == nil || index != nil)
        next.append(child)
        // A child that was found is in the index already.
        if let hash = missedHash { index?.insert(child, hash: hash) }
        missedHash = nil
    }
}
