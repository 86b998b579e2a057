/// Limits how many envelopes an owner processes each time it is woken, before other work gets a turn.
struct DrainSlice {
    /// High enough that waking costs little, and low enough to let others in between.
    static let count = 64
    static let time = Duration.milliseconds(4)

    private let end = ContinuousClock.now + time
    private var left = count

    /// Counts an envelope that was processed.
    ///
    /// - Returns: Whether another one may be processed.
    mutating func use() -> Bool {
        left -= 1
        return left > 0 && ContinuousClock.now < end
    }
}
