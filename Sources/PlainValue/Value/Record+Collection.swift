extension Value.Record: RandomAccessCollection {
    /// The position of the first entry: 0.
    public var startIndex: Int { 0 }

    /// The position past the last entry.
    public var endIndex: Int { count }

    /// The number of entries.
    public var count: Int {
        switch storage {
        case .owned(let entries): entries.count
        case .encoded(let view): view.count
        }
    }

    /// The entry at a position, which must be one of ``indices``.
    public subscript(position: Int) -> Element {
        switch storage {
        case .owned(let entries): entries[position]
        case .encoded(let view): view.entry(at: position)
        }
    }

    /// Starts reading the entries in the order of their keys.
    public func makeIterator() -> Iterator { Iterator(self) }

    /// Reads the entries of a record in the order of their keys.
    public struct Iterator: IteratorProtocol {
        private let storage: Storage
        private var remaining: Int
        /// An index into owned entries, or an offset into encoded bytes.
        private var position: Int

        init(_ record: Value.Record) {
            storage = record.storage
            remaining = record.count
            position =
                switch record.storage {
                case .owned: 0
                case .encoded(let view): view.firstChild
                }
        }

        /// The next entry, or nil after the last.
        public mutating func next() -> Element? {
            guard remaining > 0 else { return nil }
            remaining -= 1
            switch storage {
            case .owned(let entries):
                defer { position += 1 }
                return entries[position]
            case .encoded(let view):
                return view.bytes.entry(advancing: &position)
            }
        }
    }
}
