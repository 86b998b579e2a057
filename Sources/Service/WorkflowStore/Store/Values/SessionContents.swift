public import WorkflowKit

/// A snapshot of a session and the inputs after it.
public struct SessionContents: Sendable, Hashable {
    /// The summary.
    public var summary: SessionSummary
    /// A snapshot of it.
    public var snapshot: SessionSnapshot
    /// The inputs after the snapshot, in order, up to the last step.
    public var inputs: [FlowInput]

    /// Makes contents from their parts.
    ///
    /// - Parameters:
    ///   - summary: The session as it was when it was read.
    ///   - snapshot: The snapshot that the inputs continue.
    ///   - inputs: The inputs after the snapshot, in order, without gaps.
    public init(summary: SessionSummary, snapshot: SessionSnapshot, inputs: [FlowInput]) {
        self.summary = summary
        self.snapshot = snapshot
        self.inputs = inputs
    }

    /// The contents that a store has found in its rows. Throws for an invalid row.
    package init(
        _ summary: SessionSummary, snapshot document: String, at step: Int, inputs: [StoredInput]
    ) throws(StoreError) {
        do {
            self.init(
                summary: summary,
                snapshot: SessionSnapshot(
                    step: step, document: try StoredValue.value(of: document)),
                inputs: try inputs.map { try $0.input() })
        } catch {
            throw .damaged(summary.id, "\(error)")
        }
    }
}

extension SessionSummary {
    /// The steps that a request names, or else the current one and the last. Throws `no_such_step`.
    package func range(
        reaching step: Int?, through last: Int?
    ) throws(StoreError) -> (target: Int, last: Int) {
        let range = (target: step ?? self.step, last: last ?? stepCount)
        for step in [range.target, range.last] where !steps.contains(step) {
            throw StoreError.noSuchStep(step, of: id, kept: steps)
        }
        return range
    }
}
