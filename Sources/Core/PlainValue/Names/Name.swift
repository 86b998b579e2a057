/// A text that names something: equal to another if it has the same UTF-8 bytes, and ordered by them.
///
/// A key of dictionaries where `String` would take two spellings of "é" for one name, which scripts tell apart, and
/// take long for texts with many combining marks.
package struct Name: Sendable {
    /// The text.
    package let text: String

    /// A name from its text.
    @inlinable
    package init(_ text: String) { self.text = text }
}

extension Name: Hashable {
    /// Whether both have the same bytes.
    @inlinable
    package static func == (left: Name, right: Name) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    /// Feeds the bytes to a hasher.
    package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension Name: Comparable {
    /// Whether the bytes of the first come before those of the second.
    package static func < (left: Name, right: Name) -> Bool {
        left.text.bytesPrecede(right.text)
    }
}
