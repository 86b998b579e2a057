import LuaVM

extension LuaType {
    /// The type within a sentence, such as `a table` or `nil`.
    package var described: String {
        switch self {
        case .nil: "nil"
        case .null: "null"
        case .integer: "an integer"
        case .object: "an object"
        default: "a \(name)"
        }
    }
}

extension LuaField.Key {
    /// The key in Lua's notation.
    package var described: String {
        switch self {
        case .name(let name): "'\(name)'"
        case .index(let index): "[\(index)]"
        case .other(let type): "[\(type.described)]"
        }
    }
}
