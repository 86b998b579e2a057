public import PlainValue

/// What a host function returns to its caller.
public enum LuaReply {
    /// No result.
    case none
    /// A plain value; its null arrives as the sentinel null.
    case value(Value)
    /// A Lua value that the host holds.
    case reference(LuaReference)
}
