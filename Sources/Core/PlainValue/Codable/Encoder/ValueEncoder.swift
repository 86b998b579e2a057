/// Turns Swift values into plain values by means of `Encodable`.
///
/// ```swift
/// let value = try ValueEncoder().encode(Line(title: "salt", price: 0.9))
/// print(value)  // { price = 0.9, title = "salt" }
/// ```
///
/// Structures and dictionaries with keys of text or whole numbers become records, sequences
/// become lists, and a property that is nil is left out. A ``Value`` inside is taken as it is.
public struct ValueEncoder {
    /// The context that encoded types may look up in their encoder.
    public var userInfo: [CodingUserInfoKey: Any] = [:]

    /// True to write integers beyond 64 bits as text; otherwise they are refused.
    package var writesLargeIntegersAsText = false

    /// Makes an encoder.
    public init() {}

    /// The plain value of `value`.
    ///
    /// ```swift
    /// print(try ValueEncoder().encode(["tea": 2, "milk": 1]))  // { milk = 1, tea = 2 }
    /// ```
    ///
    /// - Throws: An `EncodingError` for an integer beyond 64 bits and for a type that encodes
    ///   nothing, or the error of a type's `encode(to:)`.
    public func encode(_ value: some Encodable) throws -> Value {
        try EncodingContext(
            codingPath: .outermost, userInfo: userInfo,
            writesLargeIntegersAsText: writesLargeIntegersAsText
        ).value(of: value)
    }
}

struct EncodingContext {
    let codingPath: CodingPath
    let userInfo: [CodingUserInfoKey: Any]
    let writesLargeIntegersAsText: Bool

    func inside(_ key: any CodingKey) -> EncodingContext {
        EncodingContext(
            codingPath: .inside(codingPath, key), userInfo: userInfo,
            writesLargeIntegersAsText: writesLargeIntegersAsText)
    }

    /// The plain value of a value at this place or, with a key, inside it.
    @inline(__always)
    func value<T: Encodable>(of encodable: T, at key: (any CodingKey)? = nil) throws -> Value {
        // Not through `encode(to:)`, which takes values apart and never ends for scalars.
        if T.self == Value.self, let value = encodable as? Value { return value }
        if T.self == String.self, let text = encodable as? String { return .string(text) }
        if T.self == Bool.self, let bool = encodable as? Bool { return .bool(bool) }
        if T.self == Double.self, let double = encodable as? Double { return .double(double) }
        if T.self == Float.self, let float = encodable as? Float { return .double(Double(float)) }
        if T.self == Int.self, let int = encodable as? Int { return .int(int) }
        let place = key.map(inside) ?? self
        if let integer = encodable as? any FixedWidthInteger {
            return try place.value(ofInteger: integer)
        }
        let node = EncodingNode()
        try encodable.encode(to: NodeEncoder(node: node, context: place))
        if let value = node.value { return value }
        throw EncodingError.invalidValue(
            encodable, place.codingPath.encodingContext("\(T.self) encoded nothing"))
    }

    private func value(ofInteger integer: some FixedWidthInteger) throws -> Value {
        if let int = Int(exactly: integer) { return .int(int) }
        if writesLargeIntegersAsText { return .string("\(integer)") }
        throw EncodingError.invalidValue(
            integer, codingPath.encodingContext("\(integer) does not fit 64 bits"))
    }
}
