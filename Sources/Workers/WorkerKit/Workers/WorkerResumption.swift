/// The earlier running time of a run that was under way in the snapshot of its session.
///
/// A worker that waits for a time reads ``current`` to compute the remaining time. Most workers
/// simply start again. If the session was closed many times, these are the sums.
public struct WorkerResumption: Sendable, Hashable {
    /// The time for which the run had been running at the snapshot, while its session was open.
    public var ran: Duration
    /// The time for which the run has not been running since its first start.
    public var paused: Duration
    /// The part of ``paused`` since the last snapshot.
    public var lastPause: Duration

    /// Makes a resumption from its parts; after a single pause, `paused` is also the last one.
    ///
    /// - Parameters:
    ///   - ran: The running time until the snapshot.
    ///   - paused: The time without running since the first start.
    ///   - lastPause: By default all of `paused`, for a session that was closed once.
    public init(ran: Duration, paused: Duration, lastPause: Duration? = nil) {
        self.ran = ran
        self.paused = paused
        self.lastPause = lastPause ?? paused
    }

    /// The resumption of the current run; `nil` for one that starts for the first time.
    @TaskLocal public static var current: WorkerResumption?
}
