/// Tells a run how long it ran before, if its session was restored from a snapshot in which it was running.
///
/// A worker that waits for a time reads ``current`` to compute the remaining time. Most workers simply start again.
/// A session can be closed and restored many times: the times are those of all its parts.
public struct WorkerResumption: Sendable, Hashable {
    /// The time for which the run had been running when the snapshot was made, without that in
    /// which its session was closed.
    public var ran: Duration
    /// The time for which it has not been running since its first start.
    public var paused: Duration
    /// The part of ``paused`` since the last snapshot.
    public var lastPause: Duration

    /// Makes a resumption from its parts.
    ///
    /// - Parameter lastPause: By default, all of `paused`: the session was closed once.
    public init(ran: Duration, paused: Duration, lastPause: Duration? = nil) {
        self.ran = ran
        self.paused = paused
        self.lastPause = lastPause ?? paused
    }

    /// The resumption of the current run; `nil` for one that starts for the first time.
    @TaskLocal public static var current: WorkerResumption?
}
