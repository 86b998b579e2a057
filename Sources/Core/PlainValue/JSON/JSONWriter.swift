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
        write("[", "]", count: elements.count) { writer, index in writer.write(elements[index]) }
    }

    private mutating func write(_ entries: [Value.Record.Element]) {
        write("{", "}", count: entries.count) { writer, index in
            entries[index].key.withBytes { writer.write(text: $0) }
            writer.writeColon()
            writer.write(entries[index].value)
        }
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
        var child = list.firstChild
        write("[", "]", count: list.count) { writer, _ in
            writer.write(child)
            child = child.advanced(by: child.size)
        }
    }

    private mutating func writeRecord(_ record: EncodedPointer) {
        var child = record.firstChild
        write("{", "}", count: record.count) { writer, _ in
            writer.write(text: child.text)
            writer.writeColon()
            child = child.advanced(by: child.size)
            writer.write(child)
            child = child.advanced(by: child.size)
        }
    }
}

// MARK: Punctuation

extension JSONWriter {
    @inline(__always)
    private mutating func write(
        _ start: Unicode.Scalar, _ end: Unicode.Scalar, count: Int,
        child: (inout JSONWriter, Int) -> Void
    ) {
        buffer.append(UInt8(ascii: start))
        level += 1
        for index in 0..<count {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            if style == .pretty { breakLine() }
            child(&self, index)
        }
        level -= 1
        if style == .pretty, count > 0 { breakLine() }
        buffer.append(UInt8(ascii: end))
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

/// The layout of JSON.
public enum JSONStyle: Sendable, Hashable {
    /// On one line, without spaces.
    case compact
    /// On lines indented by two spaces.
    case pretty
}
