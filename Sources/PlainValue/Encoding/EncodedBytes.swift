/// Immutable encoded bytes, shared by everything that reads from them.
///
/// Unchecked because nothing writes to the buffer after `init(copying:)` returns.
struct EncodedBytes: @unchecked Sendable {
    /// The bytes, in one allocation with the object that counts the references to them.
    private let buffer: Buffer

    /// Not generic, so that making one looks up no metadata.
    private final class Buffer: ManagedBuffer<Void, UInt8> {}

    /// Copies bytes that are one encoded value.
    init(copying bytes: UnsafeRawBufferPointer) {
        // `create` makes an instance of the class that it is called on.
        buffer = unsafeDowncast(
            Buffer.create(minimumCapacity: bytes.count) { _ in }, to: Buffer.self)
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

    /// The value at an offset.
    func value(at offset: Int) -> Value {
        var cursor = EncodedCursor(bytes: self, offset: offset)
        return cursor.nextValue()
    }
}
