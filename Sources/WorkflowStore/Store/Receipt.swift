/// A request that was dealt with, under the key that its sender gave it: who sends it again gets the same answer.
public struct Receipt: Sendable, Hashable {
    /// The key: text of 1 to 200 bytes, unique in its session.
    public var key: String
    /// A number that hangs on the request's content, by which another request under the same key is told.
    public var digest: UInt64
    /// The step at which the session stood after the request.
    public var step: Int
    /// How many inputs the request gave; those of the steps up to ``step``.
    public var inputCount: Int
    /// Whether the step was given up since, as the session went on from an earlier one.
    public var isGivenUp: Bool

    /// A receipt from its parts.
    public init(
        key: String, digest: UInt64, step: Int, inputCount: Int = 0, isGivenUp: Bool = false
    ) {
        self.key = key
        self.digest = digest
        self.step = step
        self.inputCount = inputCount
        self.isGivenUp = isGivenUp
    }

    /// How long a receipt is kept at least, in milliseconds: 24 hours.
    public static let lifetime = 24 * 60 * 60 * 1000
}
