/// One list or record inside encoded bytes. Each access reads from the bytes, all of which the view
/// keeps alive.
struct EncodedView: Sendable {
    let bytes: EncodedBytes
    /// The start of the container; a whole encoding has fewer than 2³¹ bytes.
    private let start: UInt32

    @inline(__always)
    init(bytes: EncodedBytes, offset: Int) {
        self.bytes = bytes
        start = UInt32(truncatingIfNeeded: offset)
        assert(Int(start) == offset)
    }

    @inline(__always)
    var offset: Int { Int(start) }

    @inline(__always)
    func withPointer<Result, Failure: Error>(
        _ body: (EncodedPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withPointer(at: offset, body)
    }

    @inline(__always)
    var count: Int { withPointer { $0.count } }

    @inline(__always)
    var children: EncodedCursor {
        EncodedCursor(bytes: bytes, offset: offset + Format.containerHeader)
    }

    func isIdentical(to other: EncodedView) -> Bool {
        bytes.isIdentical(to: other.bytes) && start == other.start
    }

    func hasSameBytes(as other: EncodedView) -> Bool {
        isIdentical(to: other)
            || withPointer { left in other.withPointer { order(of: left.bytes, to: $0.bytes) == 0 }
            }
    }
}

extension EncodedView {
    func element(at index: Int) -> Value {
        bytes.value(at: offsetOfChild(at: index))
    }

    func entry(at index: Int) -> Value.Record.Element {
        var cursor = EncodedCursor(bytes: bytes, offset: offsetOfChild(at: index))
        return cursor.nextEntry()
    }

    func key(at index: Int) -> String {
        bytes.withPointer(at: offsetOfChild(at: index)) { $0.string }
    }

    func index(ofKey key: String) -> Int? {
        key.withBytes { key in withPointer { $0.index(ofKey: key) } }
    }

    func value(forKey key: String) -> Value? {
        guard let index = index(ofKey: key) else { return nil }
        let entry = offsetOfChild(at: index)
        return bytes.value(at: entry + bytes.withPointer(at: entry) { $0.size })
    }

    private func offsetOfChild(at index: Int) -> Int {
        precondition(index >= 0 && index < count, "Index out of range")
        return offset + withPointer { $0.child(at: index).raw - $0.raw }
    }
}
