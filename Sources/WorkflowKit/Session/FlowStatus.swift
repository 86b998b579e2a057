/// Where a session stands, all of one moment.
public struct FlowStatus: Sendable, Hashable {
    /// The name of the flow.
    public var name: String
    /// The step that is shown; 0 is the beginning.
    public var step: Int
    /// The last step.
    public var stepCount: Int
    /// The types of action that the root knows, sorted; empty if one function takes them all.
    public var actionTypes: [String]
    /// Whether a worker is at work, or would be if it were not held.
    public var hasRunningWorkers: Bool

    /// A status from its parts.
    public init(
        name: String, step: Int = 0, stepCount: Int = 0, actionTypes: [String] = [],
        hasRunningWorkers: Bool = false
    ) {
        self.name = name
        self.step = step
        self.stepCount = stepCount
        self.actionTypes = actionTypes
        self.hasRunningWorkers = hasRunningWorkers
    }

    /// Whether an earlier step is shown, so that workers are held.
    public var isInPast: Bool { step < stepCount }
}

extension FlowSession {
    /// Where the session stands now.
    public var status: FlowStatus {
        FlowStatus(
            name: name, step: step, stepCount: stepCount, actionTypes: actionTypes,
            hasRunningWorkers: hasRunningWorkers)
    }
}
