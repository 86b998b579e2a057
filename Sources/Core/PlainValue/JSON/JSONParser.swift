/// A parser that writes JSON text straight into the binary encoding.
struct JSONParser: ~Copyable {
    let text: UnsafeRawBufferPointer
    var position = 0
    var writer: EncodingWriter
    /// The position in the text of each key of the open objects, for the report of a duplicate.
    var keyPositions: [Int] = []

    static func parse(
        _ text: UnsafeRawBufferPointer, limits: ValueLimits
    ) throws(JSONError) -> EncodedValue {
        var parser = JSONParser(text: text, limits: limits)
        parser.skipByteOrderMark()
        parser.skipSpace()
        try parser.parseValue()
        parser.skipSpace()
        if parser.position < text.count { throw parser.expected("the end of the text") }
        try parser.write { writer throws(ValueError) in try writer.finish() }
        return EncodedValue(bytes: EncodedBytes(copying: parser.writer.buffer.bytes), offset: 0)
    }

    private init(text: UnsafeRawBufferPointer, limits: ValueLimits) {
        self.text = text
        let capacity = min(text.count + text.count / 2, limits.byteCount)
        writer = EncodingWriter(limits: limits, capacity: capacity)
    }

    /// Skips the mark that some editors put before a text, as RFC 8259, section 8.1, allows.
    private mutating func skipByteOrderMark() {
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    private mutating func parseValue() throws(JSONError) {
        switch peek() {
        case UInt8(ascii: "{"): try parseObject()
        case UInt8(ascii: "["): try parseArray()
        case UInt8(ascii: "\""): try parseString()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try parseNumber()
        case UInt8(ascii: "t"):
            try parseWord("true")
            writer.write(true)
        case UInt8(ascii: "f"):
            try parseWord("false")
            writer.write(false)
        case UInt8(ascii: "n"):
            try parseWord("null")
            writer.writeNull()
        default: throw expected("a value")
        }
    }

    private mutating func parseWord(_ word: StaticString) throws(JSONError) {
        let bytes = UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard text.count - position >= bytes.count,
            order(
                of: UnsafeRawBufferPointer(rebasing: text[position..<position + bytes.count]),
                to: bytes) == 0
        else { throw expected("a value") }
        position += bytes.count
    }
}

// MARK: Containers

extension JSONParser {
    private mutating func parseArray() throws(JSONError) {
        let container = try begin(Tag.list)
        if !skip("]") {
            repeat {
                try addChild(of: container)
                try parseValue()
            } while try skipComma(orEnd: "]")
        }
        writer.end(container)
    }

    private mutating func parseObject() throws(JSONError) {
        let container = try begin(Tag.record)
        let firstKey = keyPositions.count
        var isSorted = true
        if !skip("}") {
            repeat {
                guard peek() == UInt8(ascii: "\"") else { throw expected("a key in double quotes") }
                try addChild(of: container)
                keyPositions.append(position)
                try parseString()
                isSorted = isSorted && lastKeyIsInOrder(of: container)
                skipSpace()
                guard skip(":") else { throw expected("':'") }
                skipSpace()
                try parseValue()
            } while try skipComma(orEnd: "}")
        }
        if !isSorted { try sortEntries(of: container, firstKey: firstKey) }
        keyPositions.removeLast(keyPositions.count - firstKey)
        writer.end(container)
    }

    private func lastKeyIsInOrder(of container: EncodingWriter.Container) -> Bool {
        let last = writer.offsets.count - 1
        guard last > container.firstOffset else { return true }
        let previous = writer.child(at: last - 1, of: container).text
        return order(of: previous, to: writer.child(at: last, of: container).text) < 0
    }

    private mutating func sortEntries(
        of container: EncodingWriter.Container, firstKey: Int
    ) throws(JSONError) {
        guard let duplicate = writer.sortEntries(of: container) else { return }
        let index = container.firstOffset + duplicate
        let key = writer.child(at: index, of: container).string
        throw fault(.duplicateKey(key), at: keyPositions[firstKey + duplicate])
    }

    private mutating func begin(_ tag: UInt8) throws(JSONError) -> EncodingWriter.Container {
        let container = try write { writer throws(ValueError) in try writer.begin(tag) }
        position += 1
        skipSpace()
        return container
    }

    @inline(__always)
    private mutating func addChild(of container: EncodingWriter.Container) throws(JSONError) {
        try write { writer throws(ValueError) in try writer.addChild(of: container) }
    }

    /// Moves past the comma after a child, or past the container's end; true after a comma.
    @inline(__always)
    private mutating func skipComma(orEnd end: Unicode.Scalar) throws(JSONError) -> Bool {
        skipSpace()
        if skip(",") {
            skipSpace()
            return true
        }
        guard skip(end) else { throw expected("',' or '\(end)'") }
        return false
    }

    @inline(__always)
    mutating func write<Result>(
        _ body: (inout EncodingWriter) throws(ValueError) -> Result
    ) throws(JSONError) -> Result {
        do {
            return try body(&writer)
        } catch {
            throw fault(.limit(error.code))
        }
    }
}

// MARK: Text

extension JSONParser {
    /// The byte at the position, or 0 at the end of the text. No token of JSON begins with 0.
    @inline(__always)
    func peek() -> UInt8 {
        position < text.count ? text[position] : 0
    }

    @inline(__always)
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    @inline(__always)
    mutating func skipSpace() {
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
                position += 1
            default: return
            }
        }
    }

    func fault(_ code: JSONError.Code, at offset: Int? = nil) -> JSONError {
        JSONError(code, at: offset ?? position, in: text)
    }

    func expected(_ what: String) -> JSONError {
        fault(.expected(what, found: found))
    }

    private var found: String {
        guard position < text.count else { return "the end of the text" }
        var bytes = text[position...].prefix(4).makeIterator()
        var decoder = UTF8()
        guard case .scalarValue(let scalar) = decoder.decode(&bytes) else {
            return "a byte that is not UTF-8"
        }
        switch scalar {
        case "'": return #""'""#
        case "\"": return #"'"'"#
        default: return "'\(LuaText.escaped(scalar))'"
        }
    }
}
