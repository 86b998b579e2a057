extension Value {
    /// The changes that make this value `new`, in the order in which they can be applied.
    ///
    /// Records are compared key by key. Of two lists the longest common beginning and end are
    /// set aside, and what lies between is compared position by position, so a row added in the
    /// middle is one change. Elements removed together are listed from the last to the first, so
    /// that every position is that of the older value. Equal values give no changes.
    ///
    /// ```swift
    /// let rows: Value = ["a", "b"]
    /// print(rows.differences(to: ["a", "x", "b"]))  // [+ [2] = "x"]
    /// ```
    public func differences(to new: Value) -> [ValueChange] {
        firstDifferences(to: new, limit: .max).changes
    }

    /// The first of the ``differences(to:)``, up to a limit, and the number of all.
    ///
    /// Memory is taken only for the changes returned, however much differs.
    ///
    /// ```swift
    /// let (shown, count) = old.firstDifferences(to: new, limit: 20)
    /// ```
    public func firstDifferences(
        to new: Value, limit: Int
    ) -> (changes: [ValueChange], count: Int) {
        var finder = DifferenceFinder(limit: limit)
        finder.compare(self, new)
        return (finder.changes, finder.count)
    }

    /// The keys of a record whose values differ in `new`, in the order of the ``differences(to:)``.
    ///
    /// Empty for values that are not both records.
    ///
    /// ```swift
    /// print((["a": 1, "b": 2] as Value).changedNames(in: ["a": 1, "b": 3]))  // ["b"]
    /// ```
    public func changedNames(in new: Value) -> [String] {
        guard case .record(let old) = self, case .record(let new) = new, !old.isIdentical(to: new)
        else { return [] }
        var names: [String] = []
        for (key, value) in old where new[key] != value { names.append(key) }
        for (key, _) in new where old.index(forKey: key) == nil { names.append(key) }
        return names
    }
}

private struct DifferenceFinder {
    let limit: Int
    var changes: [ValueChange] = []
    var count = 0
    private var path = ValuePath()

    init(limit: Int) { self.limit = limit }

    mutating func compare(_ old: Value, _ new: Value) {
        switch (old, new) {
        case (.record(let old), .record(let new)):
            if !old.isIdentical(to: new) { compare(old, new) }
        case (.list(let old), .list(let new)):
            if !old.isIdentical(to: new) { compare(old, new) }
        default:
            if old != new { add(.changed(from: old, to: new)) }
        }
    }

    private mutating func compare(_ old: Value.Record, _ new: Value.Record) {
        for (key, value) in old {
            enter(.key(key)) { finder in
                if let newValue = new[key] {
                    finder.compare(value, newValue)
                } else {
                    finder.add(.removed(value))
                }
            }
        }
        for (key, value) in new where old.index(forKey: key) == nil {
            enter(.key(key)) { $0.add(.added(value)) }
        }
    }

    private mutating func compare(_ old: Value.List, _ new: Value.List) {
        let shorter = min(old.count, new.count)
        var start = 0
        for (old, new) in zip(old, new) {
            guard old == new else { break }
            start += 1
        }
        var end = 0
        while end < shorter - start, old[old.count - 1 - end] == new[new.count - 1 - end] {
            end += 1
        }
        for position in start..<shorter - end {
            enter(.index(position + 1)) { $0.compare(old[position], new[position]) }
        }
        for position in (shorter - end..<old.count - end).reversed() {
            enter(.index(position + 1)) { $0.add(.removed(old[position])) }
        }
        for position in shorter - end..<new.count - end {
            enter(.index(position + 1)) { $0.add(.added(new[position])) }
        }
    }

    private mutating func enter(
        _ component: ValuePath.Component, _ body: (inout DifferenceFinder) -> Void
    ) {
        path.append(component)
        body(&self)
        path.removeLast()
    }

    private mutating func add(_ kind: ValueChange.Kind) {
        count += 1
        // Each change keeps its whole path, so those beyond the limit are only counted.
        if changes.count < limit { changes.append(ValueChange(path: path, kind: kind)) }
    }
}
