/// A value that a snapshot carries in a form of its own, so that making and restoring a snapshot within one
/// process takes nothing apart.
public protocol SnapshotContent: Encodable, Hashable, Sendable {
    /// The `T` that this value decodes as.
    ///
    /// - Throws: `DecodingError`, and what `T` throws.
    func decode<T: Decodable>(as type: T.Type) throws -> T
}
