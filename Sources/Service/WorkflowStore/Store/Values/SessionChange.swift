public import WorkflowKit

/// A change of a session.
public struct SessionChange: Sendable, Hashable {
    /// A random number that identifies the change if the outcome is unknown.
    public var id: UInt64
    /// The number of earlier inputs to keep; later ones are dropped.
    public var keeping: Int
    /// The new inputs after those, in order.
    public var inputs: [FlowInput]
    /// The session's step after the change.
    public var step: Int
    /// A snapshot of the session at a step, if one was made.
    public var snapshot: SessionSnapshot?
    /// The receipts of completed requests. Earlier receipts for dropped steps count as given up.
    public var receipts: [Receipt]
    /// The time at which a closed session must be opened again, in milliseconds since 1970: 0 for
    /// at once, because a worker is running; `nil` for never.
    public var wakeAt: Int?
    /// True if another host goes on with the session's workers, and learns of the change at its
    /// next beat; see ``SharedSessionStore``. Otherwise this host has them.
    public var leavesWorkers: Bool
    /// The files of the flow, if they changed.
    public var code: FlowCode?
    /// The first reachable step from now on; by default unchanged.
    public var firstStep: Int
    /// The time, in milliseconds since 1970.
    public var milliseconds: Int

    /// Makes a change.
    ///
    /// ```swift
    /// // Goes back to the step 3; the inputs after it stay.
    /// let change = SessionChange(keeping: summary.stepCount, step: 3, milliseconds: now)
    /// ```
    ///
    /// - Parameters:
    ///   - id: A random number that identifies the change if the outcome is unknown.
    ///   - keeping: The number of earlier inputs to keep; later ones are dropped.
    ///   - inputs: The new inputs after those, in order.
    ///   - step: The session's step after the change, at most ``stepCount``.
    ///   - snapshot: A snapshot at a step, if one was made.
    ///   - receipts: The receipts of the requests that the change completes.
    ///   - wakeAt: Milliseconds since 1970; 0 for at once, `nil` for never.
    ///   - leavesWorkers: True if another host goes on with the session's workers.
    ///   - code: The files of the flow, if they changed.
    ///   - firstStep: The first reachable step from now on; 0 leaves it as it is.
    ///   - milliseconds: The present time, in milliseconds since 1970.
    public init(
        id: UInt64 = .random(in: 0...UInt64.max), keeping: Int, inputs: [FlowInput] = [],
        step: Int, snapshot: SessionSnapshot? = nil, receipts: [Receipt] = [],
        wakeAt: Int? = nil, leavesWorkers: Bool = false, code: FlowCode? = nil,
        firstStep: Int = 0, milliseconds: Int
    ) {
        self.id = id
        self.keeping = keeping
        self.inputs = inputs
        self.step = step
        self.snapshot = snapshot
        self.receipts = receipts
        self.wakeAt = wakeAt
        self.leavesWorkers = leavesWorkers
        self.code = code
        self.firstStep = firstStep
        self.milliseconds = milliseconds
    }

    /// The session's last step after the change.
    public var stepCount: Int { keeping + inputs.count }

    /// True if it changes ``SessionSummary/screen``, by another step or other files.
    ///
    /// - Parameters:
    ///   - step: The session's step before the change.
    ///   - stepCount: Its last step.
    ///   - code: The hash of its files.
    public func isAnotherScreen(from step: Int, of stepCount: Int, _ code: String?) -> Bool {
        keeping < stepCount || !inputs.isEmpty || self.step != step
            || self.code.map { $0.hash != code } ?? false
    }
}

/// The texts of a change, made before anything is locked for it.
package struct ChangeTexts: Sendable {
    package private(set) var inputs: [StoredInput] = []
    package private(set) var snapshot: String?
    package let code: String?

    /// Makes the texts. Throws `bad_key` or `not_storable`.
    package init(_ change: SessionChange) throws(StoreError) {
        for receipt in change.receipts { try receipt.request.validate() }
        for input in change.inputs { inputs.append(try StoredInput(input)) }
        if let made = change.snapshot {
            snapshot = try StoredValue.text(of: made.document, "the snapshot")
        }
        code = change.code?.text
    }
}
