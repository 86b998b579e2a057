public import PlainValue

/// What a call of a Lua function gave.
public struct LuaResult {
    /// What kind of thing the function returned; nil also when it returned nothing at all.
    public let type: LuaType
    /// The plain value, if it was asked for.
    public let value: Value?
    /// The Lua value itself, if it was asked for.
    public let reference: LuaReference?
    /// Whether a table can stand for its value from now on: it is not large, and all in it can be written to.
    package let isOfTable: Bool

    /// Whether the function returned nothing, or nil.
    public var isNil: Bool { type == .nil }
}

/// Which forms of a function's first result the host wants.
public enum LuaReturn: Sendable {
    /// None; whatever the function returns is dropped.
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
        /// Something else, of the type given.
        case other(LuaType)
    }

    /// The key.
    public let key: Key
    /// The type of what the field holds.
    public let type: LuaType
    /// What it holds, if that is a boolean, a number, a string or null.
    public let scalar: Value?
    /// What it holds, if that is anything else.
    public let reference: LuaReference?
}
