public import PlainValue
import WorkflowKit

/// A place at which a value is not as it was expected to be.
public struct ValueMismatch: Sendable, Hashable {
    /// The place; empty for the value itself.
    public var path: ValuePath
    /// What should be there; `nil` for nothing.
    public var expected: Value?
    /// What is there; `nil` for nothing.
    public var found: Value?

    /// The mismatch as one or two lines: `- total = 24` is expected, `+ total = 25` is there. A third says what an empty
    /// table expects where a record is there.
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
