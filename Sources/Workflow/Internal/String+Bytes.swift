// Names and keys are told apart by their UTF-8 bytes, as paths and files have them. `String` compares by canonical
// equivalence, for which two spellings of "é" are one key; to normalise long texts for it takes time, too.

extension String {
    /// Whether both have the same bytes.
    @inlinable
    func hasSameBytes(as other: String) -> Bool {
        isStoredAlike(other)
            || (utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8))
    }

    /// Whether both are the same small text, or share one storage; takes constant time, and false proves nothing.
    @inlinable
    func isStoredAlike(_ other: String) -> Bool {
        withUnsafeBytes(of: self) { own in
            withUnsafeBytes(of: other) { other in
                // By words, which the compiler unrolls.
                var difference: UInt = 0
                for place in stride(from: 0, to: own.count, by: MemoryLayout<UInt>.size) {
                    difference |=
                        own.load(fromByteOffset: place, as: UInt.self)
                        ^ other.load(fromByteOffset: place, as: UInt.self)
                }
                return difference == 0
            }
        }
    }

    /// Feeds the bytes to a hasher.
    func hashBytes(into hasher: inout Hasher) {
        var copy = self
        copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // No UTF-8 text holds this byte, so neighbouring strings cannot run together.
        hasher.combine(0xFF as UInt8)
    }
}
