extension JSONWriter {
    mutating func write(_ bool: Bool) {
        if bool { buffer.append("true") } else { buffer.append("false") }
    }

    mutating func write(_ int: Int) {
        if int < 0 { buffer.append(UInt8(ascii: "-")) }
        let magnitude = int.magnitude
        var width = 1
        var power: UInt = 10
        while magnitude >= power {
            width += 1
            let (next, overflows) = power.multipliedReportingOverflow(by: 10)
            if overflows { break }
            power = next
        }
        buffer.skip(width)
        var rest = magnitude
        for position in 1...width {
            let digit = UInt8(truncatingIfNeeded: rest % 10) + UInt8(ascii: "0")
            buffer.store(digit, at: buffer.count - position)
            rest /= 10
        }
    }

    /// Writes the shortest digits that are read as the same float, with a fraction or exponent.
    mutating func write(_ double: Double) {
        guard double.isFinite else { return buffer.append("null") }
        double.description.withBytes { buffer.append($0) }
    }

    /// Writes a string of valid UTF-8 in quotes, with escapes for all that is not plain text.
    mutating func write(text: UnsafeRawBufferPointer) {
        buffer.append(UInt8(ascii: "\""))
        var start = 0
        var offset = 0
        while offset < text.count {
            if isPlainWord(in: text, at: offset) {
                offset += 8
                continue
            }
            guard let escape = escape(in: text, at: offset) else {
                offset += 1
                continue
            }
            buffer.append(UnsafeRawBufferPointer(rebasing: text[start..<offset]))
            writeEscape(of: escape.unit)
            offset += escape.length
            start = offset
        }
        buffer.append(UnsafeRawBufferPointer(rebasing: text[start...]))
        buffer.append(UInt8(ascii: "\""))
    }

    @inline(__always)
    private func isPlainWord(in text: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        guard offset + 8 <= text.count else { return false }
        let word = text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        // Adding one to each byte finds DEL, the last of ASCII, as well as bytes beyond ASCII.
        let high = (word | (word & ~JSONBytes.highBits) &+ 0x0101_0101_0101_0101)
        return (JSONBytes.stops(in: word) | high) & JSONBytes.highBits == 0
    }

    /// The code unit that needs an escape at an offset, and its number of bytes. Beyond the rules
    /// of JSON these are DEL, the C1 control characters, and the separators of lines and
    /// paragraphs, which end a line for some readers.
    @inline(__always)
    private func escape(
        in text: UnsafeRawBufferPointer, at offset: Int
    ) -> (unit: UInt16, length: Int)? {
        let byte = text[offset]
        switch byte {
        case 0x00..<0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "\\"):
            return (UInt16(byte), 1)
        case 0xC2 where text[offset + 1] < 0xA0:
            return (UInt16(text[offset + 1]), 2)
        case 0xE2 where text[offset + 1] == 0x80 && text[offset + 2] & 0xFE == 0xA8:
            return (0x2000 | UInt16(text[offset + 2] & 0x3F), 3)
        default:
            return nil
        }
    }

    private mutating func writeEscape(of unit: UInt16) {
        switch unit {
        case 0x22: buffer.append(#"\""#)
        case 0x5C: buffer.append(#"\\"#)
        case 0x0A: buffer.append(#"\n"#)
        case 0x0D: buffer.append(#"\r"#)
        case 0x09: buffer.append(#"\t"#)
        case 0x08: buffer.append(#"\b"#)
        case 0x0C: buffer.append(#"\f"#)
        default:
            buffer.append(#"\u"#)
            for shift in [12, 8, 4, 0] as [UInt16] {
                let digit = UInt8(truncatingIfNeeded: unit >> shift & 0xF)
                buffer.append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
            }
        }
    }
}
