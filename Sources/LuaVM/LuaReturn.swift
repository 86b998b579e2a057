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
