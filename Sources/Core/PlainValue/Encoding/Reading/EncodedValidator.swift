/// Checks that arbitrary bytes are exactly one encoded value.
struct EncodedValidator {
    private let bytes: UnsafeRawBufferPointer
    private let limits: ValueLimits
    private var valueCount = 0

    /// Fails at the first fault found, with the offset of the value or table that has it.
    static func validate(
        _ bytes: UnsafeRawBufferPointer, limits: ValueLimits
    ) throws(ValueError) {
        guard bytes.count <= limits.byteCount else {
            throw ValueError(.tooLarge(limit: limits.byteCount), byteOffset: limits.byteCount)
        }
        var validator = EncodedValidator(bytes: bytes, limits: limits)
        let end = try validator.value(at: 0, before: bytes.count, depth: 0)
        if end != bytes.count { throw ValueError(.trailingBytes, byteOffset: end) }
    }

    private init(bytes: UnsafeRawBufferPointer, limits: ValueLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    /// Checks the value at `offset`, which must end before `end`, and returns its end.
    private mutating func value(
        at offset: Int, before end: Int, depth: Int
    ) throws(ValueError) -> Int {
        valueCount += 1
        guard valueCount <= limits.count else {
            throw ValueError(.tooManyValues(limit: limits.count), byteOffset: offset)
        }
        switch try tag(at: offset, before: end) {
        case Tag.null, Tag.false, Tag.true:
            return offset + 1
        case Tag.int8:
            return try place(offset, width: 2, before: end)
        case Tag.int32:
            let next = try place(offset, width: 5, before: end)
            let int = Int32(bitPattern: word(at: offset + 1))
            if Int8(exactly: int) != nil { throw ValueError(.notShortest, byteOffset: offset) }
            return next
        case Tag.int64:
            let next = try place(offset, width: 9, before: end)
            let int = Int64(bitPattern: longWord(at: offset + 1))
            if Int32(exactly: int) != nil { throw ValueError(.notShortest, byteOffset: offset) }
            return next
        case Tag.double:
            let next = try place(offset, width: 9, before: end)
            let double = Double(bitPattern: longWord(at: offset + 1))
            if !double.isFinite { throw ValueError(.notFinite, byteOffset: offset) }
            return next
        case Tag.shortString, Tag.longString:
            return try string(at: offset, before: end).upperBound
        case Tag.list, Tag.record:
            return try container(at: offset, before: end, depth: depth + 1)
        case let unknown:
            throw ValueError(.unknownTag(unknown), byteOffset: offset)
        }
    }

    private mutating func container(
        at start: Int, before end: Int, depth: Int
    ) throws(ValueError) -> Int {
        guard depth <= limits.depth else {
            throw ValueError(.tooDeep(limit: limits.depth), byteOffset: start)
        }
        let header = try place(start, width: Format.containerHeader, before: end)
        let size = Int(word(at: start + 1))
        let count = Int(word(at: start + 5))
        guard size <= end - start else { throw ValueError(.truncated, byteOffset: start) }
        // The count comes from outside. Its bound keeps the offsets below within the container.
        guard size >= Format.containerHeader + count * Format.minimumChildBytes else {
            throw ValueError(.wrongSize, byteOffset: start)
        }
        let table = start + size - count * Format.offsetWidth
        let isRecord = bytes[start] == Tag.record
        var previousKey: Range<Int>?
        var next = header
        for index in 0..<count {
            let entry = table + index * Format.offsetWidth
            guard Int(word(at: entry)) == next - start else {
                throw ValueError(.wrongOffset, byteOffset: entry)
            }
            if isRecord {
                let key = try key(at: next, before: table, after: previousKey)
                previousKey = key
                next = key.upperBound
            }
            next = try value(at: next, before: table, depth: depth)
        }
        guard next == table else { throw ValueError(.wrongSize, byteOffset: start) }
        return start + size
    }

    private func key(
        at offset: Int, before end: Int, after previous: Range<Int>?
    ) throws(ValueError) -> Range<Int> {
        let tag = try tag(at: offset, before: end)
        guard tag == Tag.shortString || tag == Tag.longString else {
            throw ValueError(.keyNotString, byteOffset: offset)
        }
        let key = try string(at: offset, before: end)
        if let previous, order(of: slice(previous), to: slice(key)) >= 0 {
            throw ValueError(.keysNotSorted, byteOffset: offset)
        }
        return key
    }

    private func string(at offset: Int, before end: Int) throws(ValueError) -> Range<Int> {
        let start: Int
        let length: Int
        if bytes[offset] == Tag.shortString {
            start = try place(offset, width: 2, before: end)
            length = Int(bytes[offset + 1])
        } else {
            start = try place(offset, width: 5, before: end)
            length = Int(word(at: offset + 1))
            if length <= 255 { throw ValueError(.notShortest, byteOffset: offset) }
        }
        guard length <= end - start else { throw ValueError(.truncated, byteOffset: offset) }
        let range = start..<start + length
        if let fault = UTF8Check.firstFault(in: slice(range)) {
            throw ValueError(.notUTF8, byteOffset: start + fault)
        }
        return range
    }
}

// MARK: Bytes

extension EncodedValidator {
    private func tag(at offset: Int, before end: Int) throws(ValueError) -> UInt8 {
        guard offset < end else { throw ValueError(.truncated, byteOffset: offset) }
        return bytes[offset]
    }

    /// The end of a run of bytes, which must not be past `end`.
    private func place(_ offset: Int, width: Int, before end: Int) throws(ValueError) -> Int {
        guard width <= end - offset else { throw ValueError(.truncated, byteOffset: offset) }
        return offset + width
    }

    private func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[range])
    }

    private func word(at offset: Int) -> UInt32 {
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    private func longWord(at offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
