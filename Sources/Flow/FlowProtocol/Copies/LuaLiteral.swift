package import PlainValue

/// Writes a value as Lua source: on one line if it fits, else with one line per element.
package struct LuaLiteral {
    private static let width = 90

    /// The indentation of the line that the literal begins on.
    package let indent: Int

    package init(indent: Int) { self.indent = indent }

    /// - Parameter taken: The columns before the literal on its line.
    package func text(_ value: Value, after taken: Int) -> String {
        let line = Self.line(value)
        guard line.count + indent + taken > Self.width else { return line }
        let inner = LuaLiteral(indent: indent + 4)
        let space = String(repeating: " ", count: indent + 4)
        let elements: [String]
        switch value {
        case .list(let list): elements = list.map { inner.text($0, after: 1) }
        case .record(let record):
            elements = Self.fields(record).map { name, value in
                name + " = " + inner.text(value, after: name.count + 4)
            }
        default: return line
        }
        return "{\n" + elements.map { space + $0 + ",\n" }.joined()
            + String(repeating: " ", count: indent) + "}"
    }

    private static func line(_ value: Value) -> String {
        switch value {
        case .null: return "workflow.null"
        case .list(let list) where !list.isEmpty:
            return "{ \(list.map(line).joined(separator: ", ")) }"
        case .record(let record) where !record.isEmpty:
            let fields = fields(record).map { "\($0.name) = \(line($0.value))" }
            return "{ \(fields.joined(separator: ", ")) }"
        default: return value.description
        }
    }

    /// The fields by their names in Lua, the type of an action first.
    private static func fields(_ record: Value.Record) -> [(name: String, value: Value)] {
        let fields = record.map { key, value in
            // A path spells a key that is not a name with brackets.
            (name: ValuePath([.key(key)]).description, value: value)
        }
        return fields.filter { $0.name == "type" } + fields.filter { $0.name != "type" }
    }
}
