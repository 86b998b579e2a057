public import PlainValue

/// A difference between an expected and an actual value.
public struct ValueMismatch: Sendable, Hashable {
    /// The path; empty for the value itself.
    public var path = ValuePath()
    /// The expected value; `nil` for nothing.
    public var expected: Value?
    /// The actual value; `nil` for nothing.
    public var found: Value?

    /// The mismatch as one or two lines: `- total = 24` is expected, `+ total = 25` is actual. A
    /// third line explains an empty table that is compared with a record.
    public var lines: [String] {
        let equals = path.isEmpty ? "" : "\(path) = "
        var lines: [String] = []
        if let expected { lines.append("- \(equals)\(expected.summary(maxLength: 500))") }
        if let found { lines.append("+ \(equals)\(found.summary(maxLength: 500))") }
        if expected == .list([]), case .record = found {
            lines.append("  {} expects an empty table; workflow.any expects anything")
        }
        return lines
    }
}
