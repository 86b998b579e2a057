/// Finds children when a render does not follow the order of the last one: something was added,
/// removed or moved.
struct ChildReordering {
    /// The children as they were before this render, for looking up and for putting back.
    let old: ContiguousArray<AnyNode>
    /// The children of this render so far.
    private(set) var next: ContiguousArray<AnyNode>
    /// Where in `old` the next child is likely to be.
    private var hint: Int
    /// Built at the first search that a few comparisons do not settle.
    private var index: ChildIndex?
    /// The hash of the key that the last search looked for in the index without success.
    private var missedHash: Int?

    /// Takes over from the fast path, which has found the first `count` children in place.
    init(old: ContiguousArray<AnyNode>, inPlace count: Int) {
        self.old = old
        next = ContiguousArray(old[..<count])
        next.reserveCapacity(max(old.count, 4))
        hint = count
    }

    /// The child with this identity from the last render or already rendered in this one.
    mutating func find(
        _ swiftType: ObjectIdentifier, _ type: ObjectIdentifier, _ key: String
    ) -> AnyNode? {
        missedHash = nil
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

    /// Notes a child as rendered; a new one can be found by later searches.
    mutating func append(_ child: AnyNode) {
        next.append(child)
        // What was found is in the index already.
        if let hash = missedHash { index?.insert(child, hash: hash) }
        missedHash = nil
    }
}
