/// The number of envelopes that an owner processes when it is woken, before other work gets a turn.
struct DrainSlice {
    /// High enough that waking costs little, and low enough to let others in between.
    static let count = 64
    static let time = Duration.milliseconds(4)

    /// The end of the slice; `nil` where time does not count.
    private let end: ContinuousClock.Instant?
    private var left = count

    /// - Parameter isTimed: False in virtual time, in which the same happens in each run.
    init(isTimed: Bool) { end = isTimed ? ContinuousClock.now + Self.time : nil }

    /// Counts a processed envelope; true if another one may be processed.
    mutating func use() -> Bool {
        left -= 1
        guard left > 0 else { return false }
        return end.map { ContinuousClock.now < $0 } ?? true
    }
}
