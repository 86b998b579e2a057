public import PlainValue

/// What the host hands to Lua: as an argument, as a field, or as what a host function returns.
public enum LuaArgument {
    /// Lua's nil.
    case `nil`
    /// A plain value; its null arrives as the sentinel null, not as nil.
    case value(Value)
    /// A Lua value that the host holds.
    case reference(LuaReference)
}
