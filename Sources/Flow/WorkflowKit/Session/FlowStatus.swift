/// The status of a session at one moment.
public struct FlowStatus: Sendable, Hashable {
    /// The name of the flow.
    public var name: String
    /// The shown step; 0 is the beginning.
    public var step: Int
    /// The last step.
    public var stepCount: Int
    /// The action types of the root, sorted; empty if one function handles all.
    public var actionTypes: [String]
    /// True if a worker is running, or held.
    public var hasRunningWorkers: Bool

    /// Makes a status from its parts.
    ///
    /// - Parameters:
    ///   - name: The name of the flow.
    ///   - step: The shown step; 0 is the beginning.
    ///   - stepCount: The last step, at least `step`.
    ///   - actionTypes: The action types of the root, sorted.
    ///   - hasRunningWorkers: True if a worker is running, or held.
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

    /// True if the session shows an earlier step, so that workers are held.
    public var isInPast: Bool { step < stepCount }
}

extension FlowSession {
    /// The current status.
    public var status: FlowStatus {
        FlowStatus(
            name: name, step: step, stepCount: stepCount, actionTypes: actionTypes,
            hasRunningWorkers: hasRunningWorkers)
    }
}
