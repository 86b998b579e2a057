import PlainValue

/// Finds a child among many by its identity: an open hash table that hashes each key once.
///
/// Its owner retains the children while they are in it.
struct ChildIndex {
    /// A child and the hash of its key. The child is not retained here.
    private struct Entry {
        let hash: Int
        let child: Unmanaged<AnyNode>
    }

    private var entries = ContiguousArray<Entry>()
    /// Places in `entries`, counted from one; zero is free. The size is a power of two.
    private var slots: ContiguousArray<UInt32>

    init(minimumCapacity: Int) {
        var size = 32
        while size < minimumCapacity * 2 { size *= 2 }
        slots = ContiguousArray(repeating: 0, count: size)
        entries.reserveCapacity(minimumCapacity)
    }

    /// The hash of a key. Types are only compared, since most siblings have one type.
    static func hash(_ key: String) -> Int {
        var hasher = Hasher()
        key.hashBytes(into: &hasher)
        return hasher.finalize()
    }

    func find(
        _ swiftType: ObjectIdentifier, _ type: ObjectIdentifier, _ key: String, hash: Int
    ) -> AnyNode? {
        let mask = slots.count - 1
        var slot = hash & mask
        while slots[slot] != 0 {
            let entry = entries[Int(slots[slot]) - 1]
            if entry.hash == hash,
                entry.child._withUnsafeGuaranteedRef({ $0.matches(swiftType, type, key) })
            {
                return entry.child.takeUnretainedValue()
            }
            slot = (slot + 1) & mask
        }
        return nil
    }

    mutating func insert(_ child: AnyNode, hash: Int) {
        if entries.count * 2 >= slots.count { grow() }
        entries.append(Entry(hash: hash, child: .passUnretained(child)))
        place(entries.count)
    }

    private mutating func place(_ number: Int) {
        let mask = slots.count - 1
        var slot = entries[number - 1].hash & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = UInt32(truncatingIfNeeded: number)
    }

    private mutating func grow() {
        slots = ContiguousArray(repeating: 0, count: slots.count * 2)
        for number in 1..<(entries.count + 1) { place(number) }
    }
}
