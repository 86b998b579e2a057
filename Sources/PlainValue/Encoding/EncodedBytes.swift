/// Immutable encoded bytes, shared by everything that reads from them.
///
/// Unchecked because nothing writes to the buffer after `init(copying:)` returns.
struct EncodedBytes: @unchecked Sendable {
    /// The number of bytes, and the bytes in the same allocation.
    private let buffer: ManagedBuffer<Int, UInt8>

    /// Copies bytes that are one encoded value.
    init(copying bytes: UnsafeRawBufferPointer) {
        buffer = .create(minimumCapacity: bytes.count) { _ in bytes.count }
        buffer.withUnsafeMutablePointerToElements { elements in
            guard let source = bytes.baseAddress else { return }
            UnsafeMutableRawPointer(elements).copyMemory(from: source, byteCount: bytes.count)
        }
    }

    func isIdentical(to other: EncodedBytes) -> Bool {
        buffer === other.buffer
    }

    @inline(__always)
    func withPointer<Result, Failure: Error>(
        at offset: Int, _ body: (EncodedPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try buffer.withUnsafeMutablePointerToElements { elements throws(Failure) in
            try body(EncodedPointer(UnsafeRawPointer(elements) + offset))
        }
    }

    /// Reads the value at an offset and moves the offset past it.
    @inline(__always)
    func value(advancing offset: inout Int) -> Value {
        withPointer(at: offset) { pointer in
            let start = offset
            switch pointer.tag {
            case Tag.false:
                offset += 1
                return .bool(false)
            case Tag.true:
                offset += 1
                return .bool(true)
            case Tag.int8:
                offset += 2
                return .int(Int(pointer.load(Int8.self, at: 1)))
            case Tag.int32:
                offset += 5
                return .int(Int(pointer.load(Int32.self, at: 1)))
            case Tag.int64:
                offset += 9
                return .int(Int(truncatingIfNeeded: pointer.load(Int64.self, at: 1)))
            case Tag.double:
                offset += 9
                return .double(pointer.double)
            case Tag.shortString, Tag.longString:
                return .string(text(at: pointer, advancing: &offset))
            case Tag.list:
                offset += pointer.size
                return .list(Value.List(EncodedView(bytes: self, offset: start)))
            case Tag.record:
                offset += pointer.size
                return .record(Value.Record(EncodedView(bytes: self, offset: start)))
            default:
                offset += 1
                return .null
            }
        }
    }

    /// Reads the entry at an offset, a key and a value, and moves the offset past it.
    @inline(__always)
    func entry(advancing offset: inout Int) -> Value.Record.Element {
        let key = withPointer(at: offset) { text(at: $0, advancing: &offset) }
        return (key, value(advancing: &offset))
    }

    @inline(__always)
    private func text(at pointer: EncodedPointer, advancing offset: inout Int) -> String {
        let text = pointer.text
        offset += text.count + (pointer.tag == Tag.shortString ? 2 : 5)
        return String(decoding: text, as: UTF8.self)
    }
}
