extension Value.Record {
    /// This record with the entries of another added.
    ///
    /// ```swift
    /// let sum = stock.merging(delivery) { .int(($0.int ?? 0) + ($1.int ?? 0)) }
    /// ```
    ///
    /// - Parameter combine: Called for a key of both, with this record's value and the other's;
    ///   returns the value to keep.
    /// - Throws: The error of `combine`.
    public func merging<Failure: Error>(
        _ other: Value.Record, uniquingKeysWith combine: (Value, Value) throws(Failure) -> Value
    ) throws(Failure) -> Value.Record {
        var entries = Array(self)
        for (key, value) in other { entries.append((key, value)) }
        return try Value.Record(entries.lazy.map { ($0.key, $0.value) }, uniquingKeysWith: combine)
    }

    /// This record with the entries of another added; for a key of both, the other's value wins.
    ///
    /// ```swift
    /// let settings = defaults.merging(["theme": "dark"])
    /// ```
    public func merging(_ other: Value.Record) -> Value.Record {
        merging(other, uniquingKeysWith: { $1 })
    }

    /// Adds the entries of another record; for a key of both, the other's value wins.
    ///
    /// ```swift
    /// stock.merge(["tea": 7, "salt": 1])
    /// ```
    public mutating func merge(_ other: Value.Record) {
        self = merging(other)
    }

    /// A record of the same keys with each value replaced by the result of `transform`.
    ///
    /// ```swift
    /// let doubled = stock.mapValues { .int(2 * ($0.int ?? 0)) }
    /// ```
    ///
    /// - Throws: The error of `transform`.
    public func mapValues<Failure: Error>(
        _ transform: (Value) throws(Failure) -> Value
    ) throws(Failure) -> Value.Record {
        var entries: [Element] = []
        entries.reserveCapacity(count)
        for (key, value) in self { entries.append((key, try transform(value))) }
        return Value.Record(sorted: entries)
    }
}
