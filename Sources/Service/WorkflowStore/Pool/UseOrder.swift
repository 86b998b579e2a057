/// The unused places, least recently used first.
struct UseOrder {
    /// A place, and the number of its last use.
    struct Entry {
        let id: String
        let use: UInt64
    }

    /// The entries. Some are outdated because the place was used since.
    private var entries: [Entry] = []
    private var first = 0

    /// - Parameter holds: True if an entry is up to date.
    mutating func add(_ entry: Entry, holds: (Entry) -> Bool, of placeCount: Int) {
        entries.append(entry)
        // This bounds the outdated entries by the number of places.
        guard entries.count > 2 * placeCount + 64 else { return }
        entries = entries[first...].filter(holds)
        first = 0
    }

    mutating func removeFirst(where holds: (Entry) -> Bool) -> Entry? {
        while first < entries.count {
            let entry = entries[first]
            first += 1
            if holds(entry) { return entry }
        }
        return nil
    }
}
