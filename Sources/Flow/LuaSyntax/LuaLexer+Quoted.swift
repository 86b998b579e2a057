import LuaVM
import PlainValue

extension LuaLexer {
    /// The quoted string that begins here; `nil` if it is not valid UTF-8.
    mutating func quoted() throws(UnreadableSource) -> Value? {
        let (start, quote) = (position, peek())
        var hasEscapes = false
        position += 1
        while let byte = peek(), byte != quote {
            if Self.isLineEnd(byte) { throw UnreadableSource() }
            position += 1
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                skipEscaped()
            }
        }
        position += 1
        guard position <= bytes.count else { throw UnreadableSource() }
        let literal = bytes[start..<position]
        return hasEscapes ? try evaluate(literal) : Self.value(literal.dropFirst().dropLast())
    }

    /// Skips the part of an escape sequence after `\` that could otherwise end the string.
    private mutating func skipEscaped() {
        guard peek() == UInt8(ascii: "z") else {
            if peek().map(Self.isLineEnd) == true { skipLineEnd() } else { position += 1 }
            return
        }
        position += 1
        while let byte = peek(), byte == 0x20 || (0x09...0x0D).contains(byte) {
            if Self.isLineEnd(byte) { skipLineEnd() } else { position += 1 }
        }
    }

    /// Lua evaluates literals with escape sequences.
    private mutating func evaluate(_ literal: ArraySlice<UInt8>) throws(UnreadableSource) -> Value?
    {
        do throws(LuaError) {
            if vm == nil { vm = try LuaVM() }
            guard let vm else { return nil }
            let source = Array("return ".utf8) + literal
            let function = try source.withUnsafeBytes { bytes in
                Result { () throws(LuaError) in try vm.load(bytes, chunkName: "literal") }
            }.get()
            return try vm.call(function, returning: .value).value
        } catch {
            if error.code == .conversion { return nil }
            throw UnreadableSource()
        }
    }
}
