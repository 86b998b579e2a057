import Foundation
import PlainValue

/// Bytes in a flow: `{ ["$blob"] = "aGk=" }`, in base64.
enum Blob {
    private static let key = "$blob"

    static func value(_ bytes: UnsafeRawBufferPointer) -> Value {
        [key: .string(Data(bytes).base64EncodedString())]
    }

    /// The bytes of a value; nil if it is not a blob.
    static func data(in value: Value) -> Data? {
        guard case .record(let record) = value, record.count == 1, let text = record[key]?.string
        else { return nil }
        return Data(base64Encoded: text)
    }
}
