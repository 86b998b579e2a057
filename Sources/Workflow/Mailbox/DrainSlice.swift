/// How much an owner takes of what waits each time it is woken, before others get a turn.
struct DrainSlice {
    /// Enough that waking costs little, and few enough where each takes next to no time.
    static let count = 64
    static let time = Duration.milliseconds(4)

    private let end = ContinuousClock.now + time
    private var left = count

    /// Counts one that was dealt with.
    ///
    /// - Returns: Whether another may be.
    mutating func use() -> Bool {
        left -= 1
        return left > 0 && ContinuousClock.now < end
    }
}
