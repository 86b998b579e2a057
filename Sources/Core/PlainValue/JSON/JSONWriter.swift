/// Writes values as JSON. Encoded values are written straight from their bytes.
struct JSONWriter: ~Copyable {
    var buffer = ByteBuffer(capacity: 256)
    private let style: JSONStyle
    private var level = 0

    init(style: JSONStyle) {
        self.style = style
    }

    mutating func write(_ value: Value) {
        switch value {
        case .null: buffer.append("null")
        case .bool(let bool): write(bool)
        case .int(let int): write(int)
        case .double(let double): write(double)
        case .string(let string): string.withBytes { write(text: $0) }
        case .list(let list):
            switch list.storage {
            case .owned(let elements): write(elements)
            case .encoded(let view): view.withPointer { write($0) }
            }
        case .record(let record):
            switch record.storage {
            case .owned(let entries): write(entries)
            case .encoded(let view): view.withPointer { write($0) }
            }
        }
    }

    private mutating func write(_ elements: [Value]) {
        open(UInt8(ascii: "["))
        for index in elements.indices {
            separate(isFirst: index == 0)
            write(elements[index])
        }
        close(UInt8(ascii: "]"), isEmpty: elements.isEmpty)
    }

    private mutating func write(_ entries: [Value.Record.Element]) {
        open(UInt8(ascii: "{"))
        for index in entries.indices {
            separate(isFirst: index == 0)
            entries[index].key.withBytes { write(text: $0) }
            writeColon()
            write(entries[index].value)
        }
        close(UInt8(ascii: "}"), isEmpty: entries.isEmpty)
    }
}

// MARK: Encoded values

extension JSONWriter {
    private mutating func write(_ pointer: EncodedPointer) {
        switch pointer.tag {
        case Tag.false: write(false)
        case Tag.true: write(true)
        case Tag.int8, Tag.int32, Tag.int64: write(pointer.int)
        case Tag.double: write(pointer.double)
        case Tag.shortString, Tag.longString: write(text: pointer.text)
        case Tag.list: writeList(pointer)
        case Tag.record: writeRecord(pointer)
        default: buffer.append("null")
        }
    }

    private mutating func writeList(_ list: EncodedPointer) {
        open(UInt8(ascii: "["))
        var child = list.firstChild
        for index in 0..<list.count {
            separate(isFirst: index == 0)
            write(child)
            child = child.advanced(by: child.size)
        }
        close(UInt8(ascii: "]"), isEmpty: list.count == 0)
    }

    private mutating func writeRecord(_ record: EncodedPointer) {
        open(UInt8(ascii: "{"))
        var child = record.firstChild
        for index in 0..<record.count {
            separate(isFirst: index == 0)
            write(text: child.text)
            writeColon()
            child = child.advanced(by: child.size)
            write(child)
            child = child.advanced(by: child.size)
        }
        close(UInt8(ascii: "}"), isEmpty: record.count == 0)
    }
}

// MARK: Punctuation

extension JSONWriter {
    @inline(__always)
    private mutating func open(_ bracket: UInt8) {
        buffer.append(bracket)
        level += 1
    }

    @inline(__always)
    private mutating func separate(isFirst: Bool) {
        if !isFirst { buffer.append(UInt8(ascii: ",")) }
        if style == .pretty { breakLine() }
    }

    @inline(__always)
    private mutating func close(_ bracket: UInt8, isEmpty: Bool) {
        assert(level > 0)
        level -= 1
        if style == .pretty, !isEmpty { breakLine() }
        buffer.append(bracket)
    }

    @inline(__always)
    private mutating func writeColon() {
        buffer.append(UInt8(ascii: ":"))
        if style == .pretty { buffer.append(UInt8(ascii: " ")) }
    }

    private mutating func breakLine() {
        buffer.append(UInt8(ascii: "\n"))
        for _ in 0..<level { buffer.append("  ") }
    }
}
