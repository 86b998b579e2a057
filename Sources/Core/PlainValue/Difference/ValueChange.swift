/// One step on the way from an older value to a newer one.
///
/// ```swift
/// let old: Value = ["count": 1, "rows": ["a", "b"]]
/// let new: Value = ["count": 2, "rows": ["a", "x", "b"]]
/// let changes = old.differences(to: new)
/// for change in changes { print(change) }  // ~ count = 1 → 2, and + rows[2] = "x"
/// print(try old.applying(changes) == new)  // true
/// ```
public struct ValueChange: Sendable, Hashable {
    /// The kind of a change.
    public enum Kind: Sendable, Hashable {
        /// A key or element was added; the elements after it move back.
        case added(Value)
        /// A key or element was removed; the elements after it move up.
        case removed(Value)
        /// A value was replaced.
        case changed(from: Value, to: Value)
    }

    /// The place, with positions as they are after all changes before this one.
    public let path: ValuePath
    /// The kind of the change.
    public let kind: Kind

    /// Makes a change.
    ///
    /// ```swift
    /// let path = ValuePath([.key("id")])
    /// print(ValueChange(path: path, kind: .changed(from: 7, to: 8)))  // ~ id = 7 → 8
    /// ```
    public init(path: ValuePath, kind: Kind) {
        self.path = path
        self.kind = kind
    }
}

extension ValueChange: CustomStringConvertible {
    /// The change on one line: `+ tags[2] = "new"`, `- tags[2] = "old"`, `~ price = 12 → 13`.
    public var description: String {
        let equals = path.isEmpty ? "" : "\(path) = "
        return switch kind {
        case .added(let new): "+ \(equals)\(new)"
        case .removed(let old): "- \(equals)\(old)"
        case .changed(let old, let new): "~ \(equals)\(old) → \(new)"
        }
    }
}
