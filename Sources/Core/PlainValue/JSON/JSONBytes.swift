/// The search for bytes of a JSON string that are not plain text, eight at a time.
enum JSONBytes {
    static let highBits: UInt64 = 0x8080_8080_8080_8080
    private static let ones: UInt64 = 0x0101_0101_0101_0101

    @inline(__always)
    static func isStop(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// The high bit of each byte that is a quote, a backslash or a control character. Bits above
    /// the lowest one that is set may be set wrongly, by the borrow of a subtraction.
    @inline(__always)
    static func stops(in word: UInt64) -> UInt64 {
        let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let backslashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
        let controls = (word &- ones &* 0x20) & ~word
        return (controls | (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes)
            & highBits
    }
}
