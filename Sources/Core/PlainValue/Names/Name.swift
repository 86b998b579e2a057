/// A name, which is compared and ordered by its UTF-8 bytes. As a key of dictionaries it differs
/// from `String`, which takes two spellings of "é" for one name, though scripts tell them apart,
/// and which takes long for texts with many combining marks.
package struct Name: Sendable {
    package let text: String

    @inlinable
    package init(_ text: String) { self.text = text }
}

extension Name: Hashable {
    @inlinable
    package static func == (left: Name, right: Name) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension Name: Comparable {
    package static func < (left: Name, right: Name) -> Bool {
        left.text.bytesPrecede(right.text)
    }
}
