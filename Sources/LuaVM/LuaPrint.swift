/// A line that a script printed.
public struct LuaPrint: Sendable, Hashable {
    /// The text, without a line break at its end.
    public let text: String
    /// The place of the call of `print`; nil when it was not called from a script's code.
    public let location: LuaLocation?
}
