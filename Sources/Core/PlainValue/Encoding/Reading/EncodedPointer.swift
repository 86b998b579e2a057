/// A place inside well-formed encoded bytes where a value begins.
///
/// - Warning: Nothing is checked: the bytes were validated or come from an encoder. They must
///   outlive this.
struct EncodedPointer {
    let raw: UnsafeRawPointer

    @inline(__always)
    init(_ raw: UnsafeRawPointer) {
        self.raw = raw
    }

    @inline(__always)
    var tag: UInt8 { raw.load(as: UInt8.self) }

    @inline(__always)
    var isContainer: Bool { tag >= Tag.list }

    @inline(__always)
    func load<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type, at offset: Int
    ) -> Number {
        Number(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: type))
    }

    @inline(__always)
    func word(at offset: Int) -> Int {
        Int(truncatingIfNeeded: load(UInt32.self, at: offset))
    }

    @inline(__always)
    func advanced(by distance: Int) -> EncodedPointer {
        EncodedPointer(raw + distance)
    }

    @inline(__always)
    var size: Int {
        switch tag {
        case Tag.int8: 2
        case Tag.int32: 5
        case Tag.int64, Tag.double: 9
        case Tag.shortString: 2 + Int(load(UInt8.self, at: 1))
        case Tag.longString: 5 + word(at: 1)
        case Tag.list, Tag.record: word(at: 1)
        default: 1
        }
    }

    @inline(__always)
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: raw, count: size) }
}

// MARK: Scalars

extension EncodedPointer {
    @inline(__always)
    var int: Int {
        assert((Tag.int8...Tag.int64).contains(tag))
        return switch tag {
        case Tag.int8: Int(load(Int8.self, at: 1))
        case Tag.int32: Int(load(Int32.self, at: 1))
        default: Int(truncatingIfNeeded: load(Int64.self, at: 1))
        }
    }

    @inline(__always)
    var double: Double {
        assert(tag == Tag.double)
        return Double(bitPattern: load(UInt64.self, at: 1))
    }

    @inline(__always)
    var text: UnsafeRawBufferPointer {
        assert(tag == Tag.shortString || tag == Tag.longString)
        if tag == Tag.shortString {
            return UnsafeRawBufferPointer(start: raw + 2, count: Int(load(UInt8.self, at: 1)))
        }
        return UnsafeRawBufferPointer(start: raw + 5, count: word(at: 1))
    }

    @inline(__always)
    var string: String { String(decoding: text, as: UTF8.self) }
}

// MARK: Containers

extension EncodedPointer {
    @inline(__always)
    var count: Int {
        assert(isContainer)
        return word(at: 5)
    }

    @inline(__always)
    var firstChild: EncodedPointer { advanced(by: Format.containerHeader) }

    /// The element or entry at an index; an entry begins with its key.
    @inline(__always)
    func child(at index: Int) -> EncodedPointer {
        assert((0..<count).contains(index))
        let entry = word(at: 1) - Format.offsetWidth * (count - index)
        return advanced(by: word(at: entry))
    }

    func index(ofKey key: UnsafeRawBufferPointer) -> Int? {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            let ordering = order(of: child(at: middle).text, to: key)
            if ordering == 0 { return middle }
            if ordering < 0 { low = middle + 1 } else { high = middle }
        }
        return nil
    }
}
