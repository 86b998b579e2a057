/// The binary encoding of one whole value, format 1.
///
/// ```swift
/// let encoded = try order.encoded()
/// let bytes = encoded.withUnsafeBytes { Array($0) }
/// let copy = try EncodedValue(validating: bytes).value
/// ```
///
/// Lists and records of ``value`` read from these bytes on demand, and share them.
public struct EncodedValue: Sendable {
    let bytes: EncodedBytes
    /// The start of the value; not 0 for a value inside a larger encoding.
    let offset: Int

    init(bytes: EncodedBytes, offset: Int) {
        self.bytes = bytes
        self.offset = offset
    }

    /// Copies bytes known to be exactly one encoded value, such as the output of an encoder.
    ///
    /// - Warning: Release builds check nothing: reading any other bytes is undefined. Use
    ///   ``init(validating:limits:)-(UnsafeRawBufferPointer,_)`` for bytes of any other origin.
    public init(copyingTrusted bytes: UnsafeRawBufferPointer) {
        assert(
            (try? EncodedValidator.validate(bytes, limits: .format)) != nil,
            "Trusted bytes are not one encoded value")
        self.init(bytes: EncodedBytes(copying: bytes), offset: 0)
    }

    /// Checks that bytes are exactly one encoded value within limits, and copies them.
    ///
    /// An encoding that passes can be read without fail.
    ///
    /// - Throws: A ``ValueError`` with the offset of the fault.
    public init(
        validating bytes: UnsafeRawBufferPointer, limits: ValueLimits = .standard
    ) throws(ValueError) {
        try EncodedValidator.validate(bytes, limits: limits)
        self.init(bytes: EncodedBytes(copying: bytes), offset: 0)
    }

    /// Checks that bytes are exactly one encoded value within limits, and copies them.
    ///
    /// ```swift
    /// print(try EncodedValue(validating: [0x03, 0x2A]).value)  // 42
    /// ```
    ///
    /// - Throws: A ``ValueError`` with the offset of the fault.
    public init(
        validating bytes: some Sequence<UInt8>, limits: ValueLimits = .standard
    ) throws(ValueError) {
        self = try Array(bytes).withUnsafeBufferPointer { bytes throws(ValueError) in
            try EncodedValue(validating: UnsafeRawBufferPointer(bytes), limits: limits)
        }
    }

    /// The value; its lists and records read from these bytes on demand.
    public var value: Value { bytes.value(at: offset) }

    /// The number of bytes.
    public var byteCount: Int { bytes.withPointer(at: offset) { $0.size } }

    /// Lends the bytes, without copying them.
    ///
    /// ```swift
    /// encoded.withUnsafeBytes { bytes.append(contentsOf: $0) }
    /// ```
    ///
    /// - Warning: The bytes are valid only until `body` returns.
    /// - Throws: The error of `body`.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withPointer(at: offset) { pointer throws(Failure) in try body(pointer.bytes) }
    }
}

extension EncodedValue: Hashable {
    /// Compares the bytes; equal bytes encode equal values.
    public static func == (left: EncodedValue, right: EncodedValue) -> Bool {
        left.withUnsafeBytes { left in right.withUnsafeBytes { order(of: left, to: $0) == 0 } }
    }

    /// Feeds the bytes to a hasher.
    public func hash(into hasher: inout Hasher) {
        withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

extension ValueLimits {
    static let format = ValueLimits(
        depth: Format.maximumDepth, count: .max, byteCount: Format.maximumByteCount)
}
