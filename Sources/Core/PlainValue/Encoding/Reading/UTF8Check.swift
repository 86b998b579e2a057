/// Checks text for being UTF-8: no surrogates, no overlong forms, nothing past U+10FFFF.
enum UTF8Check {
    /// The offset of the first byte that begins no whole scalar; `nil` if there is none.
    static func firstFault(in bytes: UnsafeRawBufferPointer) -> Int? {
        var offset = 0
        while offset < bytes.count {
            offset = endOfASCII(in: bytes, from: offset)
            if offset == bytes.count { return nil }
            let length = scalarLength(in: bytes, at: offset)
            if length == 0 { return offset }
            offset += length
        }
        return nil
    }

    @inline(__always)
    private static func endOfASCII(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var offset = start
        while offset + 8 <= bytes.count,
            bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080
                == 0
        {
            offset += 8
        }
        while offset < bytes.count, bytes[offset] < 0x80 { offset += 1 }
        return offset
    }

    /// The length of the scalar of more than one byte at an offset; 0 if there is none.
    private static func scalarLength(in bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
        let first = bytes[offset]
        let length: Int
        // The range of the second byte rules out overlong forms, surrogates and too large scalars.
        let second: ClosedRange<UInt8>
        switch first {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return 0
        }
        guard length <= bytes.count - offset, second.contains(bytes[offset + 1]) else { return 0 }
        for index in 2..<max(length, 2) where bytes[offset + index] & 0xC0 != 0x80 { return 0 }
        return length
    }
}

extension String {
    /// Makes a string of UTF-8 known to be valid, without another check where Swift allows that.
    @inline(__always)
    init(trustedUTF8 text: UnsafeRawBufferPointer) {
        assert(UTF8Check.firstFault(in: text) == nil)
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            let bytes = text.assumingMemoryBound(to: UInt8.self).span
            self.init(copying: UTF8Span(unchecked: bytes))
        } else {
            self.init(decoding: text, as: UTF8.self)
        }
    }
}
