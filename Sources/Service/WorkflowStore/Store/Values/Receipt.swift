/// A completed request under its sender's key. Repeating the request gives the same answer.
public struct Receipt: Sendable, Hashable {
    /// The key: 1 to 200 bytes of text, unique in its session.
    public var key: String
    /// A digest of the request's content, which detects another request under the same key.
    public var digest: UInt64
    /// The session's step after the request.
    public var step: Int
    /// The number of the request's inputs, which lead to ``step``.
    public var inputCount: Int
    /// True if the step was dropped since, because the session continued from an earlier one.
    public var isGivenUp: Bool
    /// The session's ``SessionSummary/screen`` after the request, which the store sets.
    public var screen: Int

    /// Makes a receipt from its parts.
    ///
    /// - Parameters:
    ///   - key: 1 to 200 bytes of text, unique in its session.
    ///   - digest: A digest of the request's content, which tells it from others under its key.
    ///   - step: The session's step after the request.
    ///   - inputCount: The number of the request's inputs, which lead to `step`.
    ///   - isGivenUp: True if the step was dropped since.
    ///   - screen: The session's ``SessionSummary/screen`` after the request; set by the store.
    public init(
        key: String, digest: UInt64, step: Int, inputCount: Int = 0, isGivenUp: Bool = false,
        screen: Int = 0
    ) {
        self.key = key
        self.digest = digest
        self.step = step
        self.inputCount = inputCount
        self.isGivenUp = isGivenUp
        self.screen = screen
    }

    /// The minimum time that a receipt is kept, in milliseconds: 24 hours.
    public static let lifetime = 24 * 60 * 60 * 1000
}

extension Receipt {
    package var request: RequestKey { RequestKey(key, digest: digest) }
}
