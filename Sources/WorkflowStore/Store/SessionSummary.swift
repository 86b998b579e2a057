/// A session of a store in short.
public struct SessionSummary: Sendable, Hashable {
    /// What it is called in the store.
    public var id: String
    /// Its number in the store; of two sessions the newer one has the greater number.
    public var number: Int
    /// The name of its flow.
    public var flow: String
    /// The hash of the flow's files; `nil` if they are not kept.
    public var code: String?
    /// Rises by one with each change.
    public var version: Int
    /// The id of the last change; see ``SessionChange/id``.
    public var change: UInt64
    /// The step at which it stands; less than ``stepCount`` when steps were undone.
    public var step: Int
    /// The last step: how many inputs it took since its beginning.
    public var stepCount: Int
    /// The first step that can be gone back to; 0 unless the session was compacted, or went on with other files of its flow
    /// then.
    public var firstStep: Int
    /// When it wants to be in memory again if it is not; see ``SessionChange/wakeAt``.
    public var wakeAt: Int?
    /// When it was made, in milliseconds since 1970.
    public var created: Int
    /// When it was changed last, in milliseconds since 1970.
    public var updated: Int

    /// A summary from its parts.
    public init(
        id: String, number: Int, flow: String, code: String? = nil, version: Int,
        change: UInt64 = 0, step: Int, stepCount: Int, firstStep: Int, wakeAt: Int? = nil,
        created: Int, updated: Int
    ) {
        self.id = id
        self.number = number
        self.flow = flow
        self.code = code
        self.version = version
        self.change = change
        self.step = step
        self.stepCount = stepCount
        self.firstStep = firstStep
        self.wakeAt = wakeAt
        self.created = created
        self.updated = updated
    }
}
