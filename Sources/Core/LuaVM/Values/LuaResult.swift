public import PlainValue

/// The result of a call of a Lua function.
public struct LuaResult {
    /// The type of the result; nil also if the function returned nothing.
    public let type: LuaType
    /// The plain value, if requested.
    public let value: Value?
    /// The Lua value itself, if requested.
    public let reference: LuaReference?

    /// True if the function returned nothing, or nil.
    public var isNil: Bool { type == .nil }
}

/// The forms in which the host requests a function's first result.
public enum LuaReturn: Sendable {
    /// None; the result is dropped.
    case nothing
    /// A plain value; anything else is a conversion error.
    case value
    /// The Lua value itself.
    case reference
    /// Both.
    case both
}

/// One field of a table, read raw.
public struct LuaField {
    /// A table's key.
    public enum Key: Hashable, Sendable {
        /// A string.
        case name(String)
        /// A whole number.
        case index(Int)
        /// A key of another type.
        case other(LuaType)
    }

    /// The key.
    public let key: Key
    /// The type of the field's value.
    public let type: LuaType
    /// The value, if it is a boolean, a number, a string or null.
    public let scalar: Value?
    /// The value, if it is anything else.
    public let reference: LuaReference?
}
