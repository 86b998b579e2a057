import LuaVM
import PlainValue

/// Splits Lua source text into tokens with their places.
struct LuaLexer {
    /// The operators by their first byte, the longest first.
    private static let operators: [UInt8: [[UInt8]]] = Dictionary(
        grouping: [
            "...", "..", "==", "~=", "<=", ">=", "//", "::", "<<", ">>", "+", "-", "*", "/", "%",
            "^", "#", "&", "~", "|", "<", ">", "=", "(", ")", "{", "}", "[", "]", ";", ":", ",",
            ".",
        ].map { Array($0.utf8) }
    ) { $0[0] }

    let bytes: [UInt8]
    var position = 0
    /// The interpreter that evaluates literals, created for the first one that needs it.
    var vm: LuaVM?
    private var line = 1
    private var lineStart = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // A byte order mark and a `#` line are not part of the Lua text.
        position = LuaVM.byteOrderMarkLength(of: bytes)
        lineStart = position
        if peek() == UInt8(ascii: "#") { skipLine() }
    }

    /// All tokens of a text; the last one is `end`.
    static func tokens(of bytes: [UInt8]) throws(UnreadableSource) -> [LuaToken] {
        var lexer = LuaLexer(bytes)
        var tokens: [LuaToken] = []
        while true {
            let token = try lexer.next()
            tokens.append(token)
            if token.kind == .end { return tokens }
        }
    }

    private mutating func next() throws(UnreadableSource) -> LuaToken {
        try skipSpace()
        let start = place
        guard let byte = peek() else { return LuaToken(kind: .end, place: start, end: start) }
        return LuaToken(kind: try kind(startingWith: byte), place: start, end: place)
    }

    private var place: SourcePlace {
        SourcePlace(line: line, column: position - lineStart + 1)
    }

    private mutating func kind(startingWith byte: UInt8) throws(UnreadableSource) -> LuaToken.Kind {
        if Self.startsName(byte) {
            let word = text { Self.startsName($0) || Self.isDigit($0) }
            return LuaToken.keywords.contains(word) ? .symbol(word) : .name(word)
        }
        if Self.isDigit(byte) || byte == UInt8(ascii: ".") && peek(1).map(Self.isDigit) == true {
            return .literal(try number())
        }
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
            return .literal(try quoted())
        }
        if byte == UInt8(ascii: "["), let level = longBracketLevel() {
            return .literal(Self.value(try longString(level)))
        }
        for symbol in Self.operators[byte] ?? [] where bytes[position...].starts(with: symbol) {
            position += symbol.count
            return .symbol(String(decoding: symbol, as: UTF8.self))
        }
        throw UnreadableSource()
    }

    // MARK: Space and comments

    private mutating func skipSpace() throws(UnreadableSource) {
        while let byte = peek() {
            if Self.isLineEnd(byte) {
                skipLineEnd()
            } else if byte == 0x20 || (0x09...0x0D).contains(byte) {
                position += 1
            } else if byte == UInt8(ascii: "-"), peek(1) == UInt8(ascii: "-") {
                position += 2
                if let level = longBracketLevel() { _ = try longString(level) } else { skipLine() }
            } else {
                return
            }
        }
    }

    private mutating func skipLine() {
        while let byte = peek(), !Self.isLineEnd(byte) { position += 1 }
    }

    /// `\r\n` and `\n\r` count as one line end.
    mutating func skipLineEnd() {
        let first = peek()
        position += 1
        if let second = peek(), Self.isLineEnd(second), second != first { position += 1 }
        line += 1
        lineStart = position
    }

    // MARK: Numbers and long strings

    private mutating func number() throws(UnreadableSource) -> Value? {
        let isHex = peek() == UInt8(ascii: "0") && (peek(1).map { $0 | 0x20 }) == UInt8(ascii: "x")
        let exponent = UInt8(ascii: isHex ? "p" : "e")
        let start = position
        position += isHex ? 2 : 0
        while let byte = peek() {
            if byte | 0x20 == exponent {
                position += 1
                if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { position += 1 }
            } else if Self.isHexDigit(byte) || byte == UInt8(ascii: ".") {
                position += 1
            } else {
                break
            }
        }
        if let byte = peek(), Self.startsName(byte) { throw UnreadableSource() }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isHex {
            // Lua wraps large hexadecimal integers around; those are left unknown.
            return Int(text.dropFirst(2), radix: 16).map(Value.int)
        }
        if let int = Int(text) { return .int(int) }
        return Double(text).flatMap { $0.isFinite ? .double($0) : nil }
    }

    /// The number of `=` in the opening long bracket here; `nil` if there is none.
    private func longBracketLevel() -> Int? {
        guard peek() == UInt8(ascii: "[") else { return nil }
        var level = 0
        while peek(1 + level) == UInt8(ascii: "=") { level += 1 }
        return peek(1 + level) == UInt8(ascii: "[") ? level : nil
    }

    private mutating func longString(_ level: Int) throws(UnreadableSource) -> [UInt8] {
        position += level + 2
        if let byte = peek(), Self.isLineEnd(byte) { skipLineEnd() }
        let close =
            [UInt8(ascii: "]")] + Array(repeating: UInt8(ascii: "="), count: level)
            + [UInt8(ascii: "]")]
        var content: [UInt8] = []
        while let byte = peek() {
            if byte == close[0], bytes[position...].starts(with: close) {
                position += close.count
                return content
            }
            if Self.isLineEnd(byte) {
                skipLineEnd()
                content.append(0x0A)
            } else {
                content.append(byte)
                position += 1
            }
        }
        throw UnreadableSource()
    }

    // MARK: Bytes

    func peek(_ distance: Int = 0) -> UInt8? {
        position + distance < bytes.count ? bytes[position + distance] : nil
    }

    private mutating func text(while holds: (UInt8) -> Bool) -> String {
        let start = position
        while let byte = peek(), holds(byte) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    static func value(_ bytes: some Collection<UInt8>) -> Value? {
        String(validating: bytes, as: UTF8.self).map(Value.string)
    }

    static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x61...0x66).contains(byte | 0x20)
    }

    private static func startsName(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) && byte < 0x80 || byte == 0x5F
    }
}
