extension Value.Record {
    /// The keys, in the order of their UTF-8 bytes, read without reading the values.
    public var keys: Keys { Keys(record: self) }

    /// The values, in the order of their keys, each read on demand.
    public var values: LazyMapSequence<Value.Record, Value> { lazy.map { $0.value } }

    /// The keys of a record, in the order of their UTF-8 bytes.
    public struct Keys: RandomAccessCollection, Sendable {
        let record: Value.Record

        /// The position of the first key: 0.
        public var startIndex: Int { 0 }

        /// The position past the last key.
        public var endIndex: Int { record.count }

        /// The key at a position, which must be one of `indices`.
        public subscript(position: Int) -> String {
            switch record.storage {
            case .owned(let entries): entries[position].key
            case .encoded(let view): view.key(at: position)
            }
        }
    }
}
