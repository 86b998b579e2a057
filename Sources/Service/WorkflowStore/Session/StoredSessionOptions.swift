/// The settings for storing a session.
public struct StoredSessionOptions: Sendable, Hashable {
    /// The number of inputs between snapshots. A small one makes opening fast, a large one storing.
    public var snapshotInterval: Int
    /// True if a session whose flow has changed continues with the parts of its state that fit;
    /// else it is refused. A flow that raises its `version` and has a `migrate` does not need this.
    ///
    /// - Warning: The parts that do not fit are lost.
    public var isLenient: Bool

    /// The number of steps in memory; above it the older ones are only in the store.
    ///
    /// The session is then loaded from its latest snapshot, unless it has running workers, is being
    /// recorded, shows an earlier step, or has attached clients. All steps can still be reached.
    public var stepsInMemory: Int

    /// Makes options; each has a default.
    ///
    /// ```swift
    /// let session = try await StoredSession.open(
    ///     "groceries", of: .file("todo.lua"), in: store,
    ///     storage: StoredSessionOptions(snapshotInterval: 16))
    /// ```
    ///
    /// - Parameters:
    ///   - snapshotInterval: A number of inputs, at least 1.
    ///   - isLenient: True if a session of a changed flow continues with what fits of its state.
    ///   - stepsInMemory: A number of steps, at least 1.
    public init(snapshotInterval: Int = 64, isLenient: Bool = false, stepsInMemory: Int = 4096) {
        self.snapshotInterval = max(1, snapshotInterval)
        self.stepsInMemory = max(1, stepsInMemory)
        self.isLenient = isLenient
    }
}
