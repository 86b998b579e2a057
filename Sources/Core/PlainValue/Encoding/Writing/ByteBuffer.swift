/// A buffer of bytes under construction, which grows by doubling.
struct ByteBuffer: ~Copyable {
    private(set) var base: UnsafeMutableRawPointer
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int) {
        self.capacity = max(capacity, 64)
        base = .allocate(byteCount: self.capacity, alignment: 8)
    }

    deinit {
        base.deallocate()
    }

    /// The bytes so far, valid until more are added.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    @inline(__always)
    mutating func reserve(_ added: Int) {
        if count + added > capacity { grow(by: added) }
    }

    /// Adds bytes that are overwritten later.
    @inline(__always)
    mutating func skip(_ added: Int) {
        reserve(added)
        count += added
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        appendReserved(byte)
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count)
        (base + count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
    }

    mutating func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Adds a number in little-endian order. There must be room for it.
    @inline(__always)
    mutating func appendReserved<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number) {
        store(number, at: count)
        count += MemoryLayout<Number>.size
    }

    @inline(__always)
    func store<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number, at offset: Int) {
        assert(offset + MemoryLayout<Number>.size <= capacity)
        base.storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
    }

    @inline(never)
    private mutating func grow(by added: Int) {
        let larger = max(count + added, capacity * 2)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 8)
        memory.copyMemory(from: base, byteCount: count)
        base.deallocate()
        base = memory
        capacity = larger
    }
}
