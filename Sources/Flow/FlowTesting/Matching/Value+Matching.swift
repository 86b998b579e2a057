import PlainValue

extension Value {
    /// The pattern that matches every value except null: `workflow.any` in a test.
    static let anything: Value = ["$any": true]

    /// The differences between this value and an expected one.
    ///
    /// Numbers are compared as in Lua, so that 24 equals 24.0. Null equals a missing value, and an
    /// empty list equals an empty record. A list must have the expected number of elements.
    ///
    /// - Parameter isPartial: Allows further fields in records.
    func mismatches(with expected: Value, isPartial: Bool) -> [ValueMismatch] {
        var comparison = Comparison(isPartial: isPartial)
        comparison.compare(expected, self)
        return comparison.mismatches
    }
}

private struct Comparison {
    let isPartial: Bool
    var mismatches: [ValueMismatch] = []
    private var path = ValuePath()

    init(isPartial: Bool) { self.isPartial = isPartial }

    mutating func compare(_ expected: Value, _ found: Value) {
        if expected == .anything, !found.isNull { return }
        switch (expected, found) {
        case (.record(let expected), .record(let found)): compare(expected, found)
        case (.list(let expected), .list(let found)): compare(expected, found)
        case (.list(let none), .record(let fields)) where none.isEmpty && fields.isEmpty,
            (.record(let fields), .list(let none)) where none.isEmpty && fields.isEmpty:
            return
        case (.int(let int), .double(let double)), (.double(let double), .int(let int)):
            if Double(exactly: int) != double { add(expected, found) }
        default: if expected != found { add(expected, found) }
        }
    }

    private mutating func compare(_ expected: Value.Record, _ found: Value.Record) {
        for (key, value) in expected { compare(value, found[key] ?? .null, at: .key(key)) }
        if isPartial { return }
        for (key, value) in found where expected.index(forKey: key) == nil {
            compare(.null, value, at: .key(key))
        }
    }

    private mutating func compare(_ expected: Value.List, _ found: Value.List) {
        for index in 0..<max(expected.count, found.count) {
            compare(
                index < expected.count ? expected[index] : .null,
                index < found.count ? found[index] : .null, at: .index(index + 1))
        }
    }

    private mutating func compare(
        _ expected: Value, _ found: Value, at component: ValuePath.Component
    ) {
        let outer = path
        path = outer.appending(component)
        compare(expected, found)
        path = outer
    }

    private mutating func add(_ expected: Value, _ found: Value) {
        mismatches.append(
            ValueMismatch(
                path: path, expected: expected.isNull && !path.isEmpty ? nil : .some(expected),
                found: found.isNull && !path.isEmpty ? nil : .some(found)))
    }
}
