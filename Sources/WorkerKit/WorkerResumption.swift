/// Where a run goes on from, when its session goes on from a snapshot in which the run was under way.
///
/// A worker that waits for a moment reads ``current`` to find that moment again; most workers simply start anew.
public struct WorkerResumption: Sendable, Hashable {
    /// How long the run had been going when the snapshot was made.
    public var ran: Duration
    /// How long it was not going since.
    public var paused: Duration

    /// A resumption from its parts.
    public init(ran: Duration, paused: Duration) {
        self.ran = ran
        self.paused = paused
    }

    /// That of the current run; `nil` for one that starts for the first time.
    @TaskLocal public static var current: WorkerResumption?
}
