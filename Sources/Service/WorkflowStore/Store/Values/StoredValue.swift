package import PlainValue

/// Values as stored texts.
package enum StoredValue {
    /// Snapshots of large trees exceed the default limits.
    private static let limits = ValueLimits(
        depth: ValueLimits.document.depth, count: .max, byteCount: .max)

    /// A value as JSON that can be read back. Throws `not_storable` if it is nested too deep.
    package static func text(of value: Value, _ name: String) throws(StoreError) -> String {
        guard (try? value.encoded(limits: limits)) != nil else { throw .tooDeep(name) }
        return value.json
    }

    package static func value(of text: String) throws -> Value {
        try Value(json: text, limits: limits)
    }
}
