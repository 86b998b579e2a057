import Foundation
import GRDB

/// A stored request key. A UUID, the usual case, is stored as 16 bytes, other keys as text.
struct StoredKey: DatabaseValueConvertible {
    let key: String

    var databaseValue: DatabaseValue {
        // An upper-case UUID would not be read back as the same text.
        if let uuid = UUID(uuidString: key), uuid.uuidString.lowercased() == key {
            return uuid.databaseValue
        }
        return key.databaseValue
    }

    static func fromDatabaseValue(_ value: DatabaseValue) -> StoredKey? {
        if case .string(let text) = value.storage { return StoredKey(key: text) }
        return UUID.fromDatabaseValue(value).map { StoredKey(key: $0.uuidString.lowercased()) }
    }
}
