import PlainValue
import WorkflowKit

/// Values as the texts that are kept.
enum StoredValue {
    /// The snapshot of a large tree has more values than others may have.
    private static let limits = ValueLimits(
        depth: ValueLimits.document.depth, count: .max, byteCount: .max)

    /// A value as JSON that can be read again.
    ///
    /// - Throws: A ``StoreError`` with the code `not_storable` for one that is nested too deep.
    static func text(of value: Value, _ name: String) throws(StoreError) -> String {
        guard (try? value.encoded(limits: limits)) != nil else {
            throw StoreError(
                .notStorable, "\(name) is too large or nested too deep to be kept",
                help: "values that are kept may hold lists and records 150 deep")
        }
        return value.json
    }

    static func value(of text: String) throws -> Value { try Value(json: text, limits: limits) }
}
