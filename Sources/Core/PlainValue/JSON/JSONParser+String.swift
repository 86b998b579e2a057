extension JSONParser {
    /// Parses and writes the string that begins at the position with its quote.
    mutating func parseString() throws(JSONError) {
        let start = position + 1
        let end = try endOfPlainText(from: start)
        guard text[end] == UInt8(ascii: "\"") else {
            return try parseEscapedString(from: start, plainUntil: end)
        }
        position = end + 1
        try write(UnsafeRawBufferPointer(rebasing: text[start..<end]))
    }

    /// The position of the quote or of the first escape. Checks the text up to there.
    private func endOfPlainText(from start: Int) throws(JSONError) -> Int {
        var offset = start
        var high: UInt64 = 0
        while offset + 8 <= text.count {
            let word = UInt64(
                littleEndian: text.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let stops = JSONBytes.stops(in: word)
            if stops != 0 {
                let length = stops.trailingZeroBitCount / 8
                high |= word & ~(~0 << UInt64(length * 8))
                offset += length
                break
            }
            high |= word
            offset += 8
        }
        while offset < text.count, !JSONBytes.isStop(text[offset]) {
            high |= UInt64(text[offset])
            offset += 1
        }
        if high & JSONBytes.highBits != 0 {
            let plain = UnsafeRawBufferPointer(rebasing: text[start..<offset])
            if let fault = UTF8Check.firstFault(in: plain) {
                throw self.fault(.notUTF8, at: start + fault)
            }
        }
        guard offset < text.count else {
            throw fault(.expected("'\"'", found: "the end of the text"), at: offset)
        }
        if text[offset] < 0x20 { throw fault(.controlCharacter, at: offset) }
        return offset
    }

    private mutating func parseEscapedString(
        from start: Int, plainUntil firstEscape: Int
    ) throws(JSONError) {
        var unescaped = Array(text[start..<firstEscape])
        position = firstEscape
        while text[position] == UInt8(ascii: "\\") {
            try parseEscape(into: &unescaped)
            let end = try endOfPlainText(from: position)
            unescaped.append(contentsOf: text[position..<end])
            position = end
        }
        position += 1
        try unescaped.withUnsafeBufferPointer { bytes throws(JSONError) in
            try write(UnsafeRawBufferPointer(bytes))
        }
    }

    private mutating func parseEscape(into unescaped: inout [UInt8]) throws(JSONError) {
        let start = position
        position += 1
        let escape = peek()
        position += 1
        switch escape {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(escape)
        case UInt8(ascii: "n"): unescaped.append(UInt8(ascii: "\n"))
        case UInt8(ascii: "t"): unescaped.append(UInt8(ascii: "\t"))
        case UInt8(ascii: "r"): unescaped.append(UInt8(ascii: "\r"))
        case UInt8(ascii: "b"): unescaped.append(0x08)
        case UInt8(ascii: "f"): unescaped.append(0x0C)
        case UInt8(ascii: "u"): unescaped.append(contentsOf: try parseScalar(from: start).utf8)
        default:
            position -= 1
            throw expected("an escape such as \\n or \\u0041")
        }
    }

    /// Parses the digits after `\u`, and the second escape of a surrogate pair.
    private mutating func parseScalar(from start: Int) throws(JSONError) -> Character {
        let first = try parseHexDigits()
        if let scalar = Unicode.Scalar(first) { return Character(scalar) }
        guard UTF16.isLeadSurrogate(first), skip("\\"), skip("u") else {
            throw fault(.loneSurrogate, at: start)
        }
        let second = try parseHexDigits()
        guard UTF16.isTrailSurrogate(second) else { throw fault(.loneSurrogate, at: start) }
        return Character(UTF16.decode(UTF16.EncodedScalar([first, second])))
    }

    private mutating func parseHexDigits() throws(JSONError) -> UInt16 {
        let (unit, count) = hexDigits(in: text, at: position)
        position += count
        guard count == 4 else { throw expected("four hexadecimal digits") }
        return unit
    }

    @inline(__always)
    private mutating func write(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
        try write { writer throws(ValueError) in try writer.write(text: bytes) }
    }
}

/// The number of up to four hexadecimal digits, and the number of digits. A function of its own
/// because Swift 6.3.1 crashes on this loop within the non-copyable parser.
private func hexDigits(
    in text: UnsafeRawBufferPointer, at start: Int
) -> (unit: UInt16, count: Int) {
    var unit: UInt16 = 0
    var count = 0
    while count < 4, start + count < text.count, let digit = hexDigit(text[start + count]) {
        unit = unit << 4 | digit
        count += 1
    }
    return (unit, count)
}

private func hexDigit(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
}
