public import PlainValue

/// What a call of a Lua function gave.
public struct LuaResult {
    /// What kind of thing the function returned; nil also when it returned nothing at all.
    public let type: LuaType
    /// The plain value, if it was asked for.
    public let value: Value?
    /// The Lua value itself, if it was asked for.
    public let reference: LuaReference?

    /// Whether the function returned nothing, or nil.
    public var isNil: Bool { type == .nil }
}
