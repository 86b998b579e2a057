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

    /// The entry at a position.
    ///
    /// ```swift
    /// let (name, count) = stock[0]  // the first name by its bytes
    /// ```
    ///
    /// - Precondition: The position is one of `indices`.
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
        private var entries: IndexingIterator<[Element]>
        private var encoded: EncodedCursor?
        private var encodedLeft = 0

        init(_ record: Value.Record) {
            switch record.storage {
            case .owned(let entries):
                self.entries = entries.makeIterator()
            case .encoded(let view):
                entries = [].makeIterator()
                encoded = view.children
                encodedLeft = view.count
            }
        }

        /// The next entry, or nil after the last.
        public mutating func next() -> Element? {
            if encodedLeft > 0 {
                encodedLeft -= 1
                return encoded?.nextEntry()
            }
            return entries.next()
        }
    }
}
