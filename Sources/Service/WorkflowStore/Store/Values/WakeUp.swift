/// The time at which a sleeping session must be woken.
public struct WakeUp: Sendable, Hashable {
    /// The number of the session in its store.
    public var number: Int
    /// The time, in milliseconds since 1970.
    public var milliseconds: Int

    /// Makes a wake-up from its parts.
    public init(number: Int, milliseconds: Int) {
        self.number = number
        self.milliseconds = milliseconds
    }
}
