/// The two words of a string of up to 15 bytes, which Swift keeps in place of a pointer to them.
/// Names of fields and most texts are that short, and reading a value mostly means making them.
/// This takes a fraction of the time of the initialisers of `String`. The form is that of Swift's
/// own `_SmallString`, which is frozen on Apple's platforms, and checked before use on all others.
struct SmallString {
    private let low: UInt64
    private let high: UInt64

    static let capacity = 15

    /// The number of bytes that are read, whatever the length of the text.
    static let width = 16

    /// Takes the first bytes of a text in UTF-8, at most ``capacity``; ``width`` bytes can be read.
    @inline(__always)
    init(_ start: UnsafeRawPointer, count: Int) {
        assert(count <= Self.capacity)
        let first = UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
        let second = UInt64(
            littleEndian: start.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        // Up to 7 bytes end in the first word, 8 and more in the second: by as many bits past it.
        let ending = (1 as UInt64) &<< UInt64(truncatingIfNeeded: count &* 8) &- 1
        let low = count < 8 ? first & ending : first
        let high = count < 8 ? 0 : second & ending
        let isASCII = (low | high) & 0x8080_8080_8080_8080 == 0
        let mark = (isASCII ? 0xE0 : 0xA0) | UInt64(truncatingIfNeeded: count)
        self.low = low
        self.high = high | mark &<< 56
    }

    @inline(__always)
    var string: String {
        var words = self
        return withUnsafeMutablePointer(to: &words) {
            // Moved: reading in place would count a reference. Sound where ``isAsKnown`` holds.
            UnsafeMutableRawPointer($0).assumingMemoryBound(to: String.self).move()
        }
    }

    /// True if the strings of this Swift have this form.
    static let isAsKnown: Bool = {
        guard MemoryLayout<String>.size == MemoryLayout<SmallString>.size else { return false }
        return [
            "", "a", "ab", "abc", "abcd", "seventh", "eighteen", "nine byte", "15 bytes of text",
            "é", "日本", "naïve café",
        ].allSatisfy { text in
            var bytes = Array(text.utf8.prefix(capacity))
            let count = bytes.count
            let known = String(decoding: bytes, as: UTF8.self)
            bytes += repeatElement(0xFF, count: width - count)
            let words = unsafeBitCast(known, to: SmallString.self)
            return bytes.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress else { return false }
                let made = SmallString(start, count: count)
                return made.low == words.low && made.high == words.high
            }
        }
    }()
}
