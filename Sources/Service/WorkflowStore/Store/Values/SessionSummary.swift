/// The summary of a stored session.
public struct SessionSummary: Sendable, Hashable {
    /// The id.
    public var id: String
    /// Its number in the store. Newer sessions have greater numbers.
    public var number: Int
    /// The name of its flow.
    public var flow: String
    /// The hash of the flow's files; `nil` if they are not stored.
    public var code: String?
    /// The version, which increases by one with each change.
    public var version: Int
    /// The version that brought its present step or files; see ``SessionScreen``.
    public var screen: Int
    /// The id of the last change; see ``SessionChange/id``.
    public var change: UInt64
    /// The current step; less than ``stepCount`` after an undo.
    public var step: Int
    /// The last step, which is the number of inputs since its beginning.
    public var stepCount: Int
    /// The first reachable step; 0 unless the session was compacted or continued with other files.
    public var firstStep: Int
    /// The time of its wake-up; see ``SessionChange/wakeAt``.
    public var wakeAt: Int?
    /// The number of the other host that runs its workers; `nil` if none does, or this one.
    public var holder: Int?
    /// The time of its creation, in milliseconds since 1970.
    public var created: Int
    /// The time of its last change, in milliseconds since 1970.
    public var updated: Int

    /// Makes a summary from its parts.
    ///
    /// - Parameters:
    ///   - id: 1 to 200 bytes of text without control characters.
    ///   - number: The number in the store, greater for newer sessions.
    ///   - flow: The name of its flow.
    ///   - code: The hash of the flow's files; `nil` if they are not stored.
    ///   - version: It increases by one with each change.
    ///   - screen: The version that brought its present step or files; by default `version`.
    ///   - change: The id of the last change.
    ///   - step: The current step; less than `stepCount` after an undo.
    ///   - stepCount: The number of inputs since its beginning.
    ///   - firstStep: The first reachable step; 0 unless earlier ones were dropped.
    ///   - wakeAt: Milliseconds since 1970; see ``SessionChange/wakeAt``.
    ///   - holder: The number of the other host that runs its workers; `nil` if none does.
    ///   - created: Milliseconds since 1970.
    ///   - updated: The time of its last change, in milliseconds since 1970.
    public init(
        id: String, number: Int, flow: String, code: String? = nil, version: Int,
        screen: Int? = nil, change: UInt64 = 0, step: Int, stepCount: Int, firstStep: Int,
        wakeAt: Int? = nil, holder: Int? = nil, created: Int, updated: Int
    ) {
        self.id = id
        self.number = number
        self.flow = flow
        self.code = code
        self.version = version
        self.screen = screen ?? version
        self.change = change
        self.step = step
        self.stepCount = stepCount
        self.firstStep = firstStep
        self.wakeAt = wakeAt
        self.holder = holder
        self.created = created
        self.updated = updated
    }
}
