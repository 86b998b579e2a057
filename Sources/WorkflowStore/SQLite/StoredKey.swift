import Foundation
import GRDB

/// The key of a request as it is kept: one that is a UUID, as most are, as its 16 bytes, and others as text.
struct StoredKey: DatabaseValueConvertible {
    let key: String

    var databaseValue: DatabaseValue {
        // With other letters it would not be read as the text that it was.
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
