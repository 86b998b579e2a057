/// How a session is kept.
public struct StoredSessionOptions: Sendable, Hashable {
    /// After how many inputs a snapshot is made: fewer make opening faster, more make keeping cheaper.
    public var snapshotInterval: Int
    /// Whether a session goes on with what fits when its flow has changed since; otherwise it is refused. Flows that raise
    /// their `version` and have a `migrate` need not be dealt with leniently.
    public var isLenient: Bool

    /// Options; each has a default.
    public init(snapshotInterval: Int = 64, isLenient: Bool = false) {
        self.snapshotInterval = max(1, snapshotInterval)
        self.isLenient = isLenient
    }
}
