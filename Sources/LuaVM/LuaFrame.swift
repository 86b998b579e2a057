/// One call that was going on in a script when an error was raised.
public struct LuaFrame: Sendable, Hashable {
    /// Where the call had got to.
    public let location: LuaLocation
    /// How the caller named the function, if it did; `main chunk` for a file's own code.
    public let function: String?
}
