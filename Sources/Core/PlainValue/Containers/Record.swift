extension Value {
    /// Values by name, either held one by one or read from an encoding on demand.
    ///
    /// A record is a collection of its entries, in the order of the UTF-8 bytes of their keys.
    /// Changing a record that reads from an encoding first takes its entries out, one level deep.
    public struct Record: Sendable {
        /// A name and the value under it.
        public typealias Element = (key: String, value: Value)

        enum Storage {
            /// Sorted by the bytes of the keys, each key once.
            case owned([Element])
            case encoded(EncodedView)
        }

        var storage: Storage

        init(_ view: EncodedView) {
            storage = .encoded(view)
        }

        /// Holds entries that are in order already, each key once.
        init(sorted entries: [Element]) {
            assert(zip(entries, entries.dropFirst()).allSatisfy { $0.key.bytesPrecede($1.key) })
            storage = .owned(entries)
        }

        /// Makes an empty record.
        public init() {
            storage = .owned([])
        }

        /// Makes a record of pairs in any order; of pairs with the same key the last one wins.
        ///
        /// ```swift
        /// print(Value.Record([("b", 2), ("a", 1), ("b", 3)]))  // { a = 1, b = 3 }
        /// ```
        public init(_ pairs: some Sequence<(String, Value)>) {
            self.init(pairs, uniquingKeysWith: { $1 })
        }

        /// Makes a record of the entries of a dictionary, or of some of another record.
        ///
        /// ```swift
        /// let plenty = Value.Record(stock.filter { $0.value.int ?? 0 > 3 })
        /// ```
        public init(_ entries: some Sequence<Element>) {
            self.init(entries.lazy.map { ($0.key, $0.value) })
        }

        /// Makes a record of pairs in any order.
        ///
        /// ```swift
        /// let lists = Value.Record(pairs) { old, new in .list([old, new]) }
        /// ```
        ///
        /// - Parameter combine: Called for pairs with the same key, with the earlier and the later
        ///   value; returns the value to keep.
        /// - Throws: The error of `combine`.
        public init<Failure: Error>(
            _ pairs: some Sequence<(String, Value)>,
            uniquingKeysWith combine: (Value, Value) throws(Failure) -> Value
        ) throws(Failure) {
            var entries: [Element] = []
            entries.reserveCapacity(pairs.underestimatedCount)
            for (key, value) in pairs { entries.append((key, value)) }
            // The sort is stable, so pairs with the same key stay in the order in which they came.
            entries.sort { $0.key.bytesPrecede($1.key) }
            var unique = 0
            for index in entries.indices {
                if unique > 0, entries[unique - 1].key.hasSameBytes(as: entries[index].key) {
                    let kept = try combine(entries[unique - 1].value, entries[index].value)
                    entries[unique - 1].value = kept
                } else {
                    if unique != index { entries[unique] = entries[index] }
                    unique += 1
                }
            }
            entries.removeSubrange(unique...)
            storage = .owned(entries)
        }

        /// Moves the entries out, so that the array is not copied when nobody shares it.
        mutating func takeEntries() -> [Element] {
            guard case .owned(let entries) = storage else { return Array(self) }
            storage = .owned([])
            return entries
        }
    }
}

extension Value.Record: ExpressibleByDictionaryLiteral {
    /// Makes a record; of entries with the same key the last one wins.
    public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements) }
}

extension Value.Record {
    /// True if two records share one storage. Takes constant time; false proves nothing.
    public func isIdentical(to other: Value.Record) -> Bool {
        switch (storage, other.storage) {
        case (.owned(let left), .owned(let right)): left.sharesStorage(with: right)
        case (.encoded(let left), .encoded(let right)): left.isIdentical(to: right)
        default: false
        }
    }
}

extension Value.Record: Hashable {
    /// Compares keys and values.
    public static func == (left: Value.Record, right: Value.Record) -> Bool {
        if case .encoded(let left) = left.storage, case .encoded(let right) = right.storage {
            return left.hasSameBytes(as: right)
        }
        return left.count == right.count
            && left.elementsEqual(right) {
                $0.key.hasSameBytes(as: $1.key) && $0.value == $1.value
            }
    }

    /// Feeds the entries to a hasher; equal records feed the same, however they are stored.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for (key, value) in self {
            key.hashBytes(into: &hasher)
            value.hash(into: &hasher)
        }
    }
}
