/// How a session is kept.
public struct StoredSessionOptions: Sendable, Hashable {
    /// After how many inputs a snapshot is made: fewer make opening faster, more make keeping cheaper.
    public var snapshotInterval: Int
    /// Whether a session goes on with what fits when its flow has changed since; otherwise it is refused. Flows that raise
    /// their `version` and have a `migrate` need not be dealt with leniently.
    public var isLenient: Bool

    /// How many steps are in memory before the older ones are left to the store.
    ///
    /// The session is loaded again from its latest snapshot then, unless workers are at work in it, or it is recorded, shown
    /// at an earlier step, or attached to. Steps that are not in memory can be gone back to all the same.
    public var stepsInMemory: Int

    /// Options; each has a default.
    public init(snapshotInterval: Int = 64, isLenient: Bool = false, stepsInMemory: Int = 4096) {
        self.snapshotInterval = max(1, snapshotInterval)
        self.stepsInMemory = max(1, stepsInMemory)
        self.isLenient = isLenient
    }
}
