/// Builds the encoding of one value, from the outside in, within limits. A container is written by
/// ``begin(_:)``, then ``addChild(of:)`` before each element or entry, then ``end(_:)``. Errors
/// carry no place, because the caller knows it.
struct EncodingWriter: ~Copyable {
    struct Container {
        let start: Int
        /// The index of its first offset among those of all open containers.
        let firstOffset: Int
    }

    let limits: ValueLimits
    var buffer: ByteBuffer
    /// The offset tables of the open containers, one after the other.
    private(set) var offsets: [UInt32] = []
    private var valueCount = 1
    private var depth = 0
    private var hasAppendedEncoded = false

    init(limits: ValueLimits, capacity: Int = 256) {
        self.limits = limits
        buffer = ByteBuffer(capacity: capacity)
    }

    /// The number of containers that may be opened inside those open now.
    var depthToSpare: Int { limits.depth - depth }

    /// Completes the encoding; call it after the last byte. Throws if the whole value is too large.
    func finish() throws(ValueError) {
        assert(depth == 0 && offsets.isEmpty)
        try check(byteCount: buffer.count)
        // Values that were appended encoded have not been counted one by one.
        if hasAppendedEncoded, EncodedPointer(buffer.base).holdsMoreValues(than: limits.count) {
            throw ValueError(.tooManyValues(limit: limits.count))
        }
    }

    @inline(__always)
    func check(byteCount: Int) throws(ValueError) {
        if byteCount > limits.byteCount { throw ValueError(.tooLarge(limit: limits.byteCount)) }
    }
}

// MARK: Containers

extension EncodingWriter {
    mutating func begin(_ tag: UInt8) throws(ValueError) -> Container {
        guard depth < limits.depth else { throw ValueError(.tooDeep(limit: limits.depth)) }
        depth += 1
        let container = Container(start: buffer.count, firstOffset: offsets.count)
        // Size and count are known only at the end of the container.
        buffer.skip(Format.containerHeader)
        buffer.store(tag, at: container.start)
        return container
    }

    @inline(__always)
    mutating func addChild(of container: Container) throws(ValueError) {
        valueCount += 1
        if valueCount > limits.count { throw ValueError(.tooManyValues(limit: limits.count)) }
        try check(byteCount: buffer.count)
        offsets.append(UInt32(truncatingIfNeeded: buffer.count - container.start))
    }

    mutating func end(_ container: Container) {
        assert(depth > 0 && container.firstOffset <= offsets.count)
        let count = offsets.count - container.firstOffset
        buffer.reserve(count * Format.offsetWidth)
        for index in container.firstOffset..<offsets.count {
            buffer.appendReserved(offsets[index])
        }
        offsets.removeLast(count)
        let size = buffer.count - container.start
        buffer.store(UInt32(truncatingIfNeeded: size), at: container.start + 1)
        buffer.store(UInt32(truncatingIfNeeded: count), at: container.start + 5)
        depth -= 1
    }

    mutating func replaceOffset(at index: Int, by offset: UInt32) {
        offsets[index] = offset
    }
}

// MARK: Values

extension EncodingWriter {
    @inline(__always)
    mutating func writeNull() { write(tag: Tag.null) }

    @inline(__always)
    mutating func write(_ bool: Bool) { write(tag: bool ? Tag.true : Tag.false) }

    @inline(__always)
    mutating func write(_ int: Int) {
        if let small = Int8(exactly: int) {
            write(tag: Tag.int8)
            buffer.appendReserved(small)
        } else if let medium = Int32(exactly: int) {
            write(tag: Tag.int32)
            buffer.appendReserved(medium)
        } else {
            write(tag: Tag.int64)
            buffer.appendReserved(Int64(int))
        }
    }

    @inline(__always)
    mutating func write(_ double: Double) throws(ValueError) {
        guard double.isFinite else { throw ValueError(.notFinite) }
        write(tag: Tag.double)
        buffer.appendReserved(double.bitPattern)
    }

    mutating func write(_ string: String) throws(ValueError) {
        try check(byteCount: string.utf8.count)
        string.withBytes { write(fitting: $0) }
    }

    /// Writes the bytes of a string, which the caller knows to be valid UTF-8.
    mutating func write(text: UnsafeRawBufferPointer) throws(ValueError) {
        try check(byteCount: text.count)
        write(fitting: text)
    }

    /// Copies a value that is encoded already, and whose depth and size the caller has checked.
    mutating func append(encoded bytes: UnsafeRawBufferPointer) {
        hasAppendedEncoded = true
        buffer.append(bytes)
    }

    @inline(__always)
    private mutating func write(fitting text: UnsafeRawBufferPointer) {
        if let length = UInt8(exactly: text.count) {
            write(tag: Tag.shortString)
            buffer.appendReserved(length)
        } else {
            write(tag: Tag.longString)
            buffer.appendReserved(UInt32(truncatingIfNeeded: text.count))
        }
        buffer.append(text)
    }

    @inline(__always)
    private mutating func write(tag: UInt8) {
        // The room includes the number that may follow.
        buffer.reserve(9)
        buffer.appendReserved(tag)
    }
}
