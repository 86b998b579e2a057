extension LuaLexer {
    /// The content of the string between quotes that begins here, its escapes resolved.
    mutating func quoted() throws(UnreadableSource) -> [UInt8] {
        let quote = peek()
        position += 1
        var content: [UInt8] = []
        while let byte = peek() {
            position += 1
            if byte == quote { return content }
            if Self.isLineEnd(byte) { break }
            if byte == UInt8(ascii: "\\") {
                try readEscape(into: &content)
            } else {
                content.append(byte)
            }
        }
        throw UnreadableSource()
    }

    private mutating func readEscape(into content: inout [UInt8]) throws(UnreadableSource) {
        guard let byte = peek() else { throw UnreadableSource() }
        if Self.isLineEnd(byte) {
            skipLineEnd()
            content.append(0x0A)
            return
        }
        if Self.isDigit(byte) {
            content.append(try decimalByte())
            return
        }
        position += 1
        switch byte {
        case UInt8(ascii: "a"): content.append(0x07)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "v"): content.append(0x0B)
        case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"): content.append(byte)
        case UInt8(ascii: "x"): content.append(try hexByte())
        case UInt8(ascii: "u"): content += try codePoint()
        case UInt8(ascii: "z"): skipSpaceInString()
        default: throw UnreadableSource()
        }
    }

    private mutating func decimalByte() throws(UnreadableSource) -> UInt8 {
        var number = 0
        for _ in 0..<3 {
            guard let digit = peek(), Self.isDigit(digit) else { break }
            number = number * 10 + Int(digit - 0x30)
            position += 1
        }
        guard let byte = UInt8(exactly: number) else { throw UnreadableSource() }
        return byte
    }

    private mutating func hexByte() throws(UnreadableSource) -> UInt8 {
        guard let high = peek(), let low = peek(1), Self.isHexDigit(high), Self.isHexDigit(low),
            let byte = UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16)
        else { throw UnreadableSource() }
        position += 2
        return byte
    }

    /// `{XXX}` as UTF-8; what Unicode has no scalar for makes the string one that is no text.
    private mutating func codePoint() throws(UnreadableSource) -> [UInt8] {
        guard peek() == UInt8(ascii: "{") else { throw UnreadableSource() }
        position += 1
        let start = position
        while let byte = peek(), Self.isHexDigit(byte) { position += 1 }
        guard peek() == UInt8(ascii: "}") else { throw UnreadableSource() }
        let digits = String(decoding: bytes[start..<position], as: UTF8.self)
        position += 1
        guard let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number) else {
            return [0xFF]
        }
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func skipSpaceInString() {
        while let byte = peek(), byte == 0x20 || (0x09...0x0D).contains(byte) {
            if Self.isLineEnd(byte) { skipLineEnd() } else { position += 1 }
        }
    }
}
