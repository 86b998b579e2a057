/// The last two of a series of encodings that replace each other, such as the states of a node. The
/// older of them seldom has a reader when the next one is made. Then its memory is used again,
/// which takes a fraction of the time of a new allocation.
package struct EncodingPair {
    /// The size of the largest encoding whose memory is used again.
    private static let largest = 256

    private var older: EncodedBytes?
    private var newer: EncodedBytes?

    package init() {}

    mutating func add(_ bytes: UnsafeRawBufferPointer) -> EncodedBytes {
        guard bytes.count <= Self.largest else { return EncodedBytes(copying: bytes) }
        let made: EncodedBytes
        if var spare = older.take(), spare.replace(with: bytes) {
            made = spare
        } else {
            made = EncodedBytes(copying: bytes)
        }
        older = newer.take()
        newer = made
        return made
    }
}
