/// Tells a run how long it ran before, if its session was restored from a snapshot in which it was running.
///
/// A worker that waits for a time reads ``current`` to compute the remaining time. Most workers simply start again.
public struct WorkerResumption: Sendable, Hashable {
    /// How long the run had been running when the snapshot was made.
    public var ran: Duration
    /// How long it has not been running since.
    public var paused: Duration

    /// Makes a resumption from its parts.
    public init(ran: Duration, paused: Duration) {
        self.ran = ran
        self.paused = paused
    }

    /// That of the current run; `nil` for one that starts for the first time.
    @TaskLocal public static var current: WorkerResumption?
}
