extension Value {
    /// True if two values are known to be equal without comparing their content.
    ///
    /// That holds if lists or records share one storage: the same place in the same encoding, or
    /// the same elements not yet copied. It also holds for equal scalars and equal short strings.
    /// Takes constant time, so a cached conversion can be kept while its source stays the same.
    ///
    /// ```swift
    /// if !new.isIdentical(to: old) { shown = new.description }
    /// ```
    ///
    /// - Important: False proves nothing: equal values held separately are not identical.
    public func isIdentical(to other: Value) -> Bool {
        switch (self, other) {
        case (.list(let left), .list(let right)): left.isIdentical(to: right)
        case (.record(let left), .record(let right)): left.isIdentical(to: right)
        case (.string(let left), .string(let right)):
            left.utf8.count <= 15 && left.hasSameBytes(as: right)
        default: self == other
        }
    }
}

extension Array {
    /// True if two arrays share their elements, which copy-on-write makes equal.
    package func sharesStorage(with other: [Element]) -> Bool {
        count == other.count
            && withUnsafeBufferPointer { left in
                other.withUnsafeBufferPointer { left.baseAddress == $0.baseAddress }
            }
    }
}
