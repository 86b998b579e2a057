/// A session of a store in short.
public struct SessionSummary: Sendable, Hashable {
    /// What it is called in the store.
    public var id: String
    /// The name of its flow.
    public var flow: String
    /// Rises by one with each change.
    public var version: Int
    /// The step at which it stands; less than ``stepCount`` when steps were undone.
    public var step: Int
    /// The last step: how many inputs it took since its beginning.
    public var stepCount: Int
    /// The first step that can be gone back to; 0 unless it was compacted.
    public var firstStep: Int
    /// When it was made, in milliseconds since 1970.
    public var created: Int
    /// When it was changed last, in milliseconds since 1970.
    public var updated: Int

    /// A summary from its parts.
    public init(
        id: String, flow: String, version: Int, step: Int, stepCount: Int, firstStep: Int,
        created: Int, updated: Int
    ) {
        self.id = id
        self.flow = flow
        self.version = version
        self.step = step
        self.stepCount = stepCount
        self.firstStep = firstStep
        self.created = created
        self.updated = updated
    }
}
