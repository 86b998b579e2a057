/// The last two of encodings that replace each other, such as the states of a node.
///
/// When the next one is made, the older of them is most often read by nobody any more: then its memory is used again,
/// which takes a fraction of the time of giving it back and asking for more.
package struct EncodingPair {
    /// The largest encoding that is kept for this.
    private static let largest = 256

    private var older: EncodedBytes?
    private var newer: EncodedBytes?

    package init() {}

    /// Copies bytes known to be one encoded value.
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
