/// The earlier running time of a run whose session was restored from a snapshot in which it was
/// running.
///
/// A worker that waits for a time reads ``current`` to compute the remaining time. Most workers
/// simply start again. A session can be closed and restored many times: the times are those of all
/// its parts.
public struct WorkerResumption: Sendable, Hashable {
    /// The time for which the run had been running when the snapshot was made, without the time in
    /// which its session was closed.
    public var ran: Duration
    /// The time for which the run has not been running since its first start.
    public var paused: Duration
    /// The part of ``paused`` since the last snapshot.
    public var lastPause: Duration

    /// Makes a resumption from its parts.
    ///
    /// - Parameter lastPause: By default all of `paused`, for a session that was closed once.
    public init(ran: Duration, paused: Duration, lastPause: Duration? = nil) {
        self.ran = ran
        self.paused = paused
        self.lastPause = lastPause ?? paused
    }

    /// The resumption of the current run; `nil` for one that starts for the first time.
    @TaskLocal public static var current: WorkerResumption?
}
