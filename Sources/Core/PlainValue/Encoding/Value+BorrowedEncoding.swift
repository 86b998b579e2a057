extension Value {
    /// The bytes that this list or record reads from; `nil` if it has none. Valid as long as this
    /// value is kept alive, for example by `withExtendedLifetime`.
    package var borrowedEncoding: UnsafeRawBufferPointer? {
        encodedView?.withPointer { $0.bytes }
    }
}

extension Value {
    /// True if arbitrary bytes are exactly one encoded list or record within these limits.
    package static func isEncodedContainer(
        _ bytes: UnsafeRawBufferPointer, limits: ValueLimits
    ) -> Bool {
        guard bytes.first == Tag.list || bytes.first == Tag.record else { return false }
        do throws(ValueError) {
            try EncodedValidator.validate(bytes, limits: limits)
            return true
        } catch {
            return false
        }
    }
}

extension EncodedValue {
    /// The bytes, valid only as long as this encoding is kept alive.
    package var borrowedBytes: UnsafeRawBufferPointer { bytes.withPointer(at: offset) { $0.bytes } }
}

extension Value {
    /// Copies bytes known to be one encoded list or record. The memory of the last encodings of the
    /// same kind may be used again.
    @inline(__always)
    package init(
        copyingTrustedContainer bytes: UnsafeRawBufferPointer, after previous: inout EncodingPair
    ) {
        let isList = bytes.first == Tag.list
        let view = EncodedView(bytes: previous.add(bytes), offset: 0)
        self = isList ? .list(List(view)) : .record(Record(view))
    }
}
