/// The words of a Lua source text, without comments, blanks and line ends. Any text has words;
/// those of the same words mean the same, except for line numbers.
package struct SourceWords: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var position = 0

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // Lua ignores a first line for the shell.
        if bytes.first == UInt8(ascii: "#") { skipLine() }
    }

    package mutating func next() -> ArraySlice<UInt8>? {
        skipSpace()
        guard let first = peek() else { return nil }
        let start = position
        let isNumber = first == UInt8(ascii: ".") && peek(1).map(Self.isDigit) == true
        if isNumber || Self.isWordByte(first) {
            skipNumberOrName()
        } else if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            skipQuoted(first)
        } else if let level = longBracketLevel {
            skipLongBracket(level)
        } else {
            position += symbolLength
        }
        return bytes[start..<position]
    }

    private var symbolLength: Int {
        guard let second = peek(1) else { return 1 }
        switch (Unicode.Scalar(bytes[position]), Unicode.Scalar(second)) {
        case (".", "."): return peek(2) == UInt8(ascii: ".") ? 3 : 2
        case ("=", "="), ("~", "="), ("<", "="), (">", "="), ("/", "/"), (":", ":"), ("<", "<"),
            (">", ">"):
            return 2
        default: return 1
        }
    }

    private func peek(_ distance: Int = 0) -> UInt8? {
        position + distance < bytes.count ? bytes[position + distance] : nil
    }

    private mutating func skipSpace() {
        while let byte = peek() {
            if byte == 0x20 || (0x09...0x0D).contains(byte) {
                position += 1
            } else if byte == UInt8(ascii: "-"), peek(1) == UInt8(ascii: "-") {
                position += 2
                if let level = longBracketLevel { skipLongBracket(level) } else { skipLine() }
            } else {
                return
            }
        }
    }

    private mutating func skipLine() {
        while let byte = peek(), byte != 0x0A, byte != 0x0D { position += 1 }
    }

    private mutating func skipNumberOrName() {
        let isNumber = peek().map { Self.isDigit($0) || $0 == UInt8(ascii: ".") } ?? false
        let isHex = isNumber && peek(1).map { $0 | 0x20 } == UInt8(ascii: "x")
        let exponent = UInt8(ascii: isHex ? "p" : "e")
        while let byte = peek() {
            if isNumber, byte | 0x20 == exponent, peek(1).map(Self.isSign) == true {
                position += 2
            } else if Self.isWordByte(byte) || isNumber && byte == UInt8(ascii: ".") {
                position += 1
            } else {
                return
            }
        }
    }

    private mutating func skipQuoted(_ quote: UInt8) {
        position += 1
        while let byte = peek() {
            position += 1
            if byte == quote { return }
            if byte == UInt8(ascii: "\\"), position < bytes.count { position += 1 }
        }
    }

    /// The number of `=` in the long bracket at the current position; `nil` if there is none.
    private var longBracketLevel: Int? {
        guard peek() == UInt8(ascii: "[") else { return nil }
        var level = 0
        while peek(1 + level) == UInt8(ascii: "=") { level += 1 }
        return peek(1 + level) == UInt8(ascii: "[") ? level : nil
    }

    private mutating func skipLongBracket(_ level: Int) {
        let close = [0x5D] + Array(repeating: UInt8(ascii: "="), count: level) + [0x5D]
        position += level + 2
        while position < bytes.count {
            if bytes[position] == 0x5D, bytes[position...].starts(with: close) {
                position += close.count
                return
            }
            position += 1
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isSign(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), 0x80...: true
        default: false
        }
    }
}
