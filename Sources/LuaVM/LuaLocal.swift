/// A local variable at the time of an error.
public struct LuaLocal: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// Its value in few characters.
    public let value: String
}
