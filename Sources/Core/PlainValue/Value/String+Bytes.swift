import LibC

// Values, names and keys are ordered and compared by their UTF-8 bytes, like files and paths.
// `String` compares by canonical equivalence: two spellings of "é" are one string to Swift, and two
// to every encoding. Its normalisation of long texts takes time, too.

extension String {
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let result = utf8.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
        if let result { return result }
        var native = self
        return native.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }

    /// True if both are one small text or share a storage. In constant time; false proves nothing.
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

    @inlinable
    package func hasSameBytes(as other: String) -> Bool {
        isStoredAlike(other) || (utf8.count == other.utf8.count && hasEqualBytes(as: other))
    }

    /// True if both, which must have one length, have the same bytes.
    @usableFromInline
    func hasEqualBytes(as other: String) -> Bool {
        withBytes { bytes in other.withBytes { order(of: bytes, to: $0) == 0 } }
    }

    func bytesPrecede(_ other: String) -> Bool {
        withBytes { bytes in other.withBytes { order(of: bytes, to: $0) < 0 } }
    }

    package func hashBytes(into hasher: inout Hasher) {
        withBytes { hasher.combine(bytes: $0) }
        // No UTF-8 text holds this byte, so neighbouring strings cannot run together.
        hasher.combine(0xFF as UInt8)
    }
}

/// The order of two runs of bytes: negative, zero or positive. A prefix comes first.
@inline(__always)
func order(of left: UnsafeRawBufferPointer, to right: UnsafeRawBufferPointer) -> Int {
    let shared = min(left.count, right.count)
    if shared > 0, let leftBase = left.baseAddress, let rightBase = right.baseAddress {
        let result = memcmp(leftBase, rightBase, shared)
        if result != 0 { return Int(result) }
    }
    return left.count - right.count
}
