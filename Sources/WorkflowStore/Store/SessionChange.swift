public import WorkflowKit

/// What is added to a session in one go.
public struct SessionChange: Sendable, Hashable {
    /// What it is told from other changes by, when it is not known whether it was kept.
    public var id: UInt64
    /// How many inputs stay; those after them are given up.
    public var keeping: Int
    /// The inputs that come after those that stay, in order.
    public var inputs: [FlowInput]
    /// The step at which the session stands then.
    public var step: Int
    /// A snapshot of the session at a step, if one was made.
    public var snapshot: SessionSnapshot?
    /// The requests that were dealt with. Receipts of before, for steps that are not kept, are given up.
    public var receipts: [Receipt]
    /// When the session wants to be in memory again if it is not, in milliseconds since 1970: 0 says at once, as a worker
    /// is at work, and `nil` never by itself.
    public var wakeAt: Int?
    /// The files of the flow, if they are others than before.
    public var code: FlowCode?
    /// The first step that can be gone back to from now on; by default that of before.
    public var firstStep: Int
    /// The time, in milliseconds since 1970.
    public var milliseconds: Int

    /// A change from its parts.
    public init(
        id: UInt64 = .random(in: 0...UInt64.max), keeping: Int, inputs: [FlowInput] = [],
        step: Int, snapshot: SessionSnapshot? = nil, receipts: [Receipt] = [],
        wakeAt: Int? = nil, code: FlowCode? = nil, firstStep: Int = 0, milliseconds: Int
    ) {
        self.id = id
        self.keeping = keeping
        self.inputs = inputs
        self.step = step
        self.snapshot = snapshot
        self.receipts = receipts
        self.wakeAt = wakeAt
        self.code = code
        self.firstStep = firstStep
        self.milliseconds = milliseconds
    }

    /// The last step of the session then.
    public var stepCount: Int { keeping + inputs.count }
}
