/// The order in which places were left, the one that was not used for the longest time first.
struct UseOrder {
    /// A place that was left, by the use after which it was.
    struct Entry {
        let id: String
        let use: UInt64
    }

    /// Entries of which some hold no longer, as the place was used since.
    private var entries: [Entry] = []
    private var first = 0

    /// Adds a place that is left now.
    ///
    /// - Parameter holds: Whether an entry still says so.
    mutating func add(_ entry: Entry, holds: (Entry) -> Bool, of placeCount: Int) {
        entries.append(entry)
        // What is taken or holds no longer is never more than the places are.
        guard entries.count > 2 * placeCount + 64 else { return }
        entries = entries[first...].filter(holds)
        first = 0
    }

    /// Takes the place that was not used for the longest time; `nil` if all are in use.
    mutating func removeFirst(where holds: (Entry) -> Bool) -> Entry? {
        while first < entries.count {
            let entry = entries[first]
            first += 1
            if holds(entry) { return entry }
        }
        return nil
    }
}
