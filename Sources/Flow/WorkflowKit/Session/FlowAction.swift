public import PlainValue

/// An action of a flow as a Swift type: its properties are the fields of the action.
///
/// ```swift
/// struct AddItem: FlowAction { var text: String }
/// try await session.send(AddItem(text: "milk"))  // { type = "add_item", text = "milk" }
/// ```
public protocol FlowAction: Encodable, Sendable {
    /// The type of the action; by default the name of the Swift type in snake case.
    static var type: String { get }
}

extension FlowAction {
    /// The name of the Swift type in snake case: `AddItem` is `add_item`.
    public static var type: String {
        var text = ""
        for character in "\(Self.self)" {
            if character.isUppercase, !text.isEmpty { text += "_" }
            text += character.lowercased()
        }
        return text
    }

    /// The action as a plain value.
    ///
    /// - Throws: An `EncodingError` if it is not a record of plain values.
    public var value: Value {
        get throws {
            var fields: Value.Record = [:]
            switch try ValueEncoder().encode(self) {
            case .record(let record): fields = record
            case .list(let list) where list.isEmpty: break
            default:
                throw EncodingError.invalidValue(
                    self,
                    .init(codingPath: [], debugDescription: "an action encodes as an object"))
            }
            fields["type"] = .string(Self.type)
            return .record(fields)
        }
    }
}
