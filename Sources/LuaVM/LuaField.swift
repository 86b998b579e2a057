public import PlainValue

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
