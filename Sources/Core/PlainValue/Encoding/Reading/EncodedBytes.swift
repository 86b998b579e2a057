/// Immutable encoded bytes, shared by all their readers. `@unchecked Sendable` because nothing
/// writes to the buffer after `init(copying:)` returns, except `replace(with:)`, which does so when
/// nobody else reads from it.
struct EncodedBytes: @unchecked Sendable {
    /// The bytes, in one allocation with the object that counts the references to them.
    private var buffer: Buffer

    /// Not generic, so that making one looks up no metadata; the header is the room for bytes.
    private final class Buffer: ManagedBuffer<Int, UInt8> {}

    init(copying bytes: UnsafeRawBufferPointer) {
        let room = bytes.count
        // `create` makes the class it is called on. Reading a last short string reads past its end.
        buffer = unsafeDowncast(
            Buffer.create(minimumCapacity: room + SmallString.width) { _ in room },
            to: Buffer.self)
        write(bytes)
    }

    /// Replaces the bytes by others that are one encoded value. False, with nothing changed, if
    /// others read from the bytes or there is no room.
    mutating func replace(with bytes: UnsafeRawBufferPointer) -> Bool {
        guard isKnownUniquelyReferenced(&buffer) else { return false }
        let room = buffer.withUnsafeMutablePointerToHeader { $0.pointee }
        guard bytes.count <= room else { return false }
        write(bytes)
        return true
    }

    @inline(__always)
    private func write(_ bytes: UnsafeRawBufferPointer) {
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

    @inline(__always)
    func offset(of pointer: EncodedPointer) -> Int {
        withPointer(at: 0) { pointer.raw - $0.raw }
    }

    func value(at offset: Int) -> Value {
        var cursor = EncodedCursor(bytes: self, offset: offset)
        return cursor.nextValue()
    }
}
