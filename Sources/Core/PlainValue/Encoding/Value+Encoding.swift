extension Value {
    /// Encodes this value, or shares the encoding that it is a part of already.
    ///
    /// ```swift
    /// _ = try Value.double(.nan).encoded()  // throws a float is NaN or infinite
    /// ```
    ///
    /// - Throws: A ``ValueError`` with the path of a value that is not finite or exceeds a limit.
    public func encoded(limits: ValueLimits = .standard) throws(ValueError) -> EncodedValue {
        if let view = encodedView {
            try view.withPointer { pointer throws(ValueError) in
                try pointer.check(limits)
            }
            return EncodedValue(bytes: view.bytes, offset: view.offset)
        }
        var writer = EncodingWriter(limits: limits)
        try writer.write(self)
        try writer.finish()
        return EncodedValue(bytes: EncodedBytes(copying: writer.buffer.bytes), offset: 0)
    }

    /// Lends the encoding of this value.
    ///
    /// A list or record that reads from an encoding lends its bytes uncopied; others are encoded
    /// first.
    ///
    /// ```swift
    /// try value.withEncodedBytes { hasher.combine(bytes: $0) }
    /// ```
    ///
    /// - Warning: The bytes are valid only until `body` returns.
    /// - Throws: A ``ValueError`` as ``encoded(limits:)``, and the error of `body`.
    public func withEncodedBytes<Result>(
        limits: ValueLimits = .standard, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        if let view = encodedView {
            return try view.withPointer { pointer in
                try pointer.check(limits)
                return try body(pointer.bytes)
            }
        }
        var writer = EncodingWriter(limits: limits)
        try writer.write(self)
        try writer.finish()
        return try body(writer.buffer.bytes)
    }

    var encodedView: EncodedView? {
        switch self {
        case .list(let list):
            if case .encoded(let view) = list.storage { view } else { nil }
        case .record(let record):
            if case .encoded(let view) = record.storage { view } else { nil }
        default: nil
        }
    }
}

extension EncodedPointer {
    fileprivate func check(_ limits: ValueLimits) throws(ValueError) {
        guard size <= limits.byteCount else {
            throw ValueError(.tooLarge(limit: limits.byteCount))
        }
        // No need to look inside for the limit that every encoding keeps to.
        guard limits.depth == Format.maximumDepth || !isNested(deeperThan: limits.depth) else {
            throw ValueError(.tooDeep(limit: limits.depth))
        }
        guard !holdsMoreValues(than: limits.count) else {
            throw ValueError(.tooManyValues(limit: limits.count))
        }
    }
}
