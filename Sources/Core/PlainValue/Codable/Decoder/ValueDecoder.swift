/// Makes Swift values of plain values by means of `Decodable`.
///
/// ```swift
/// struct Line: Codable {
///     var title: String
///     var price: Double
/// }
/// let lines = try ValueDecoder().decode([Line].self, from: order["lines"] ?? [])
/// ```
///
/// It follows the meaning of a script rather than its arithmetic. A float is also read from an
/// integer, and an integer from a float that is a whole number. An empty table, which in Lua is
/// both, is read as a list or as a record, whichever is expected.
public struct ValueDecoder {
    /// The context that decoded types may look up in their decoder.
    public var userInfo: [CodingUserInfoKey: Any] = [:]

    /// True to read an integer beyond 64 bits from its text.
    package var readsLargeIntegersFromText = false

    /// Makes a decoder.
    public init() {}

    /// The Swift value that `value` stands for.
    ///
    /// ```swift
    /// // throws expected a string at [2], found an integer
    /// _ = try ValueDecoder().decode([String].self, from: ["tea", 2])
    /// ```
    ///
    /// - Throws: A `DecodingError` whose context has the coding path, and a description such as
    ///   `expected a string at rows[3].title, found an integer`, with positions counted from 1.
    public func decode<T: Decodable>(_ type: T.Type, from value: Value) throws -> T {
        let context = DecodingContext(
            codingPath: .outermost, userInfo: userInfo,
            readsLargeIntegersFromText: readsLargeIntegersFromText)
        return try ValueReader(value: value, context: context).decode(type)
    }
}
