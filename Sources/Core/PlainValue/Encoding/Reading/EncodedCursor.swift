/// Reads the values that follow each other in encoded bytes.
struct EncodedCursor {
    private let bytes: EncodedBytes
    /// The start of the next value, apart from `bytes`: reading a scalar counts no references.
    private var next: EncodedPointer
    /// Looked up once for a cursor, because the look-up takes as long as making a string.
    private let makesSmallStrings: Bool

    @inline(__always)
    init(bytes: EncodedBytes, offset: Int) {
        self.bytes = bytes
        makesSmallStrings = SmallString.isAsKnown
        next = bytes.withPointer(at: offset) { $0 }
    }

    @inline(__always)
    mutating func nextValue() -> Value {
        // The pointer alone would not keep the bytes alive.
        defer { withExtendedLifetime(bytes) {} }
        return value(advancing: &next)
    }

    @inline(__always)
    mutating func nextEntry() -> Value.Record.Element {
        defer { withExtendedLifetime(bytes) {} }
        var pointer = next
        let key = string(advancing: &pointer)
        let value = value(advancing: &pointer)
        next = pointer
        return (key, value)
    }

    @inline(__always)
    private func value(advancing pointer: inout EncodedPointer) -> Value {
        let start = pointer
        switch start.tag {
        case Tag.false:
            pointer = start.advanced(by: 1)
            return .bool(false)
        case Tag.true:
            pointer = start.advanced(by: 1)
            return .bool(true)
        case Tag.int8:
            pointer = start.advanced(by: 2)
            return .int(Int(start.load(Int8.self, at: 1)))
        case Tag.int32:
            pointer = start.advanced(by: 5)
            return .int(Int(start.load(Int32.self, at: 1)))
        case Tag.int64:
            pointer = start.advanced(by: 9)
            return .int(Int(truncatingIfNeeded: start.load(Int64.self, at: 1)))
        case Tag.double:
            pointer = start.advanced(by: 9)
            return .double(start.double)
        case Tag.shortString, Tag.longString:
            return .string(string(advancing: &pointer))
        case Tag.list:
            pointer = start.advanced(by: start.word(at: 1))
            return .list(Value.List(EncodedView(bytes: bytes, offset: bytes.offset(of: start))))
        case Tag.record:
            pointer = start.advanced(by: start.word(at: 1))
            return .record(
                Value.Record(EncodedView(bytes: bytes, offset: bytes.offset(of: start))))
        default:
            pointer = start.advanced(by: 1)
            return .null
        }
    }

    @inline(__always)
    private func string(advancing pointer: inout EncodedPointer) -> String {
        let text = pointer.text
        let header = pointer.tag == Tag.shortString ? 2 : 5
        let start = pointer.raw + header
        pointer = pointer.advanced(by: header &+ text.count)
        if text.count <= SmallString.capacity, makesSmallStrings {
            // The bytes are followed by as many as this reads; see ``EncodedBytes``.
            return SmallString(start, count: text.count).string
        }
        return String(trustedUTF8: text)
    }
}
