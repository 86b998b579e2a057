/// A checksum of sixteen digits, which tells whether a text has changed. It does not protect
/// against forgery.
///
/// FNV-1a: <http://www.isthe.com/chongo/tech/comp/fnv/>
package enum TextSum {
    /// The sum of some bytes.
    package static func digits(of bytes: some Sequence<UInt8>) -> String {
        var sum = empty
        add(bytes, to: &sum)
        return digits(sum)
    }

    /// The sum of a source text's words.
    package static func digits(ofCode source: [UInt8]) -> String {
        var sum = empty
        for word in SourceWords(source) {
            add(word, to: &sum)
            add(CollectionOfOne(0xFF), to: &sum)
        }
        return digits(sum)
    }

    private static let empty: UInt64 = 0xcbf2_9ce4_8422_2325

    private static func add(_ bytes: some Sequence<UInt8>, to sum: inout UInt64) {
        for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }

    private static func digits(_ sum: UInt64) -> String {
        let digits = String(sum, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
