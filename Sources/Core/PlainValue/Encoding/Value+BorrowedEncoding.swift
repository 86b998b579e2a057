extension Value {
    /// The bytes that this list or record reads from, or nil when it has none.
    ///
    /// For the bridges to other languages, which hand them on at once: they are good only as long as
    /// this value is kept alive, by `withExtendedLifetime` say.
    package var borrowedEncoding: UnsafeRawBufferPointer? {
        encodedView?.withPointer { $0.bytes }
    }
}

extension Value {
    /// Whether bytes, whatever they are, are exactly one encoded list or record within these limits.
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
    /// The bytes, good only as long as this encoding is kept alive.
    package var borrowedBytes: UnsafeRawBufferPointer { bytes.withPointer(at: offset) { $0.bytes } }
}

extension Value {
    /// Copies bytes known to be one encoded list or record, such as those an encoder just made.
    ///
    /// - Parameter previous: The encodings of the same kind that were made before.
    @inline(__always)
    package init(
        copyingTrustedContainer bytes: UnsafeRawBufferPointer, after previous: inout EncodingPair
    ) {
        let isList = bytes.first == Tag.list
        let view = EncodedView(bytes: previous.add(bytes), offset: 0)
        self = isList ? .list(List(view)) : .record(Record(view))
    }
}
