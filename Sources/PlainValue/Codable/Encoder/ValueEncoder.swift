/// Turns Swift values into plain values by means of `Encodable`.
///
/// Structures and dictionaries with keys of text or whole numbers become records, sequences
/// become lists, and a property that is nil is left out. A ``Value`` inside is taken as it is.
public struct ValueEncoder {
    /// What the types being encoded may look up in their encoder.
    public var userInfo: [CodingUserInfoKey: Any] = [:]

    /// Whether integers beyond 64 bits become text; otherwise they are refused.
    package var writesLargeIntegersAsText = false

    /// Makes an encoder.
    public init() {}

    /// The plain value of `value`.
    ///
    /// Throws an `EncodingError` for an integer beyond 64 bits and for a type that encodes
    /// nothing, or what the `encode(to:)` of a type throws.
    public func encode(_ value: some Encodable) throws -> Value {
        try EncodingContext(
            codingPath: CodingPath(), userInfo: userInfo,
            writesLargeIntegersAsText: writesLargeIntegersAsText
        ).value(of: value)
    }
}

/// Where an encoder is, and how it makes values of what it is given there.
struct EncodingContext {
    let codingPath: CodingPath
    let userInfo: [CodingUserInfoKey: Any]
    let writesLargeIntegersAsText: Bool

    func inside(_ key: any CodingKey) -> EncodingContext {
        EncodingContext(
            codingPath: codingPath.inside(key), userInfo: userInfo,
            writesLargeIntegersAsText: writesLargeIntegersAsText)
    }

    func value<T: Encodable>(of encodable: T) throws -> Value {
        // Not through `encode(to:)`, which would take a value apart and put it together again.
        if let value = encodable as? Value { return value }
        let node = EncodingNode()
        try encodable.encode(to: NodeEncoder(node: node, context: self))
        if let value = node.value { return value }
        throw EncodingError.invalidValue(
            encodable, codingPath.encodingContext("\(T.self) encoded nothing"))
    }

    func value(ofInteger integer: some FixedWidthInteger) throws -> Value {
        if let int = Int(exactly: integer) { return .int(int) }
        if writesLargeIntegersAsText { return .string("\(integer)") }
        throw EncodingError.invalidValue(
            integer, codingPath.encodingContext("\(integer) does not fit 64 bits"))
    }
}
