/// Makes Swift values of plain values by means of `Decodable`.
///
/// Follows what scripts write rather than how they happen to compute it: a float is also read
/// from an integer, an integer also from a float that is a whole number, and an empty table,
/// which Lua cannot tell apart, as a list or a record, whichever is expected.
public struct ValueDecoder {
    /// What the types being decoded may look up in their decoder.
    public var userInfo: [CodingUserInfoKey: Any] = [:]

    /// Whether an integer beyond 64 bits is read from its text.
    package var readsLargeIntegersFromText = false

    /// Makes a decoder.
    public init() {}

    /// The Swift value that `value` stands for.
    ///
    /// Throws a `DecodingError` whose context has the coding path, and a description such as
    /// `expected a string at rows[3].title, found an integer`, with positions counted from 1.
    public func decode<T: Decodable>(_ type: T.Type, from value: Value) throws -> T {
        let context = DecodingContext(
            codingPath: CodingPath(), userInfo: userInfo,
            readsLargeIntegersFromText: readsLargeIntegersFromText)
        return try ValueReader(value: value, context: context).decode(type)
    }
}
