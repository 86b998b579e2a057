// Names and keys are told apart by their UTF-8 bytes, as paths and files have them. `String` compares by canonical
// equivalence, for which two spellings of "é" are one key; to normalise long texts for it takes time, too.

extension String {
    /// Whether both have the same bytes.
    @inlinable
    func hasSameBytes(as other: String) -> Bool {
        let count = utf8.count
        if count != other.utf8.count { return false }
        // Nearly all children have no key.
        return count == 0 || utf8.elementsEqual(other.utf8)
    }

    /// Feeds the bytes to a hasher.
    func hashBytes(into hasher: inout Hasher) {
        var copy = self
        copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // No UTF-8 text holds this byte, so neighbouring strings cannot run together.
        hasher.combine(0xFF as UInt8)
    }
}
