/// Finds the places of elements in an array by key: an open hash table that hashes each key once.
@usableFromInline
struct PlaceIndex {
    @usableFromInline var hashes = ContiguousArray<Int>()
    /// Places, counted from one; zero is free. The size is a power of two.
    @usableFromInline var slots: ContiguousArray<UInt32>

    @inlinable
    init(minimumCapacity: Int) {
        var size = 32
        while size < minimumCapacity * 2 { size *= 2 }
        slots = ContiguousArray(repeating: 0, count: size)
        hashes.reserveCapacity(minimumCapacity)
    }

    @inlinable
    func find(hash: Int, _ isIt: (Int) -> Bool) -> Int? {
        let mask = slots.count - 1
        var slot = hash & mask
        while slots[slot] != 0 {
            let place = Int(slots[slot]) - 1
            if hashes[place] == hash, isIt(place) { return place }
            slot = (slot + 1) & mask
        }
        return nil
    }

    @inlinable
    mutating func append(hash: Int) {
        if hashes.count * 2 >= slots.count { grow() }
        hashes.append(hash)
        enter(hashes.count)
        // A free slot ends each search.
        assert(hashes.count * 2 <= slots.count)
    }

    @inlinable
    mutating func enter(_ number: Int) {
        let mask = slots.count - 1
        var slot = hashes[number - 1] & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = UInt32(truncatingIfNeeded: number)
    }

    @inlinable
    mutating func grow() {
        slots = ContiguousArray(repeating: 0, count: slots.count * 2)
        for number in 1..<(hashes.count + 1) { enter(number) }
    }
}
