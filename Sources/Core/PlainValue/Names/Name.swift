/// A name, which is compared and ordered by its UTF-8 bytes.
///
/// As a key of dictionaries it differs from `String`, which takes two spellings of "é" for one
/// name, though scripts tell them apart, and which takes long for texts with many combining marks.
package struct Name: Sendable {
    /// The text.
    package let text: String

    /// A name from its text.
    @inlinable
    package init(_ text: String) { self.text = text }
}

extension Name: Hashable {
    /// Compares the bytes.
    @inlinable
    package static func == (left: Name, right: Name) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    /// Feeds the bytes to a hasher.
    package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension Name: Comparable {
    /// True if the bytes of the first come before those of the second.
    package static func < (left: Name, right: Name) -> Bool {
        left.text.bytesPrecede(right.text)
    }
}
