import WorkflowKit

/// A session that is played, and how much of it is kept. Belongs to one ``StoredSession``.
final class LiveSession {
    let session: FlowSession
    let pending: PendingNews
    /// The step of the store at which the session's own steps begin.
    let base: Int
    private(set) var version: Int
    private(set) var step: Int
    private(set) var stepCount: Int
    private var lastSnapshot: Int
    /// Whether the next change is to have a snapshot, as the code is no longer that of the last one.
    var needsSnapshot = false

    init(
        _ session: FlowSession, _ pending: PendingNews, _ summary: SessionSummary, base: Int
    ) {
        self.session = session
        self.pending = pending
        self.base = base
        version = summary.version
        step = summary.step
        stepCount = summary.stepCount
        lastSnapshot = base
    }

    /// What is known before something is done.
    func baseline(interval: Int, makesSnapshot: Bool) -> Baseline {
        Baseline(
            pending: pending, base: base, step: step, stepCount: stepCount,
            lastSnapshot: lastSnapshot, interval: needsSnapshot ? 1 : interval,
            makesSnapshot: makesSnapshot)
    }

    /// Notes that a change is kept.
    func advance(to version: Int, by change: SessionChange, snapshotStep: Int?) {
        self.version = version
        step = change.step
        stepCount = change.stepCount
        lastSnapshot = snapshotStep ?? min(lastSnapshot, change.keeping)
        if change.snapshot != nil { needsSnapshot = false }
    }
}

/// What is known of a session before something is done in it.
struct Baseline: Sendable {
    let pending: PendingNews
    let base: Int
    let step: Int
    let stepCount: Int
    let lastSnapshot: Int
    let interval: Int
    let makesSnapshot: Bool
}

/// What came of something that was done in a session, and is to be kept and then told.
struct Batch: Sendable {
    var change: SessionChange?
    /// The step for which a snapshot was made, or could not be made.
    var snapshotStep: Int?
    var events: [FlowEvent]
}

/// Does something in a session, and takes all that came of it and before it.
func serve<Result: Sendable>(
    _ session: isolated FlowSession, _ baseline: Baseline,
    _ body: @Sendable (isolated FlowSession) throws -> Result
) -> (Swift.Result<Result, any Error>, Batch) {
    baseline.pending.setServed(true)
    defer { baseline.pending.setServed(false) }
    let result = Swift.Result { try body(session) }
    var change = SessionChange(
        baseline.pending.removeChanges(), after: baseline, milliseconds: session.options.now())
    let isChanged =
        change.keeping != baseline.stepCount || !change.inputs.isEmpty
        || change.step != baseline.step
    let distance = abs(change.step - min(baseline.lastSnapshot, change.keeping))
    let isWanted =
        baseline.makesSnapshot
        ? distance > 0 || baseline.interval == 1
        : !change.inputs.isEmpty && distance >= baseline.interval
    // What cannot be rendered now is reached by its inputs only.
    let isDue = isWanted && session.isWhole
    // A state that cannot be kept is an event; the inputs are kept all the same.
    if isDue, let snapshot = try? session.snapshot() {
        change.snapshot = SessionSnapshot(step: change.step, document: snapshot.document)
    }
    return (
        result,
        Batch(
            change: isChanged || change.snapshot != nil ? change : nil,
            snapshotStep: isDue ? change.step : nil, events: baseline.pending.removeEvents())
    )
}

extension SessionChange {
    /// The changes of a timeline as one.
    fileprivate init(
        _ changes: [PendingNews.Change], after baseline: Baseline, milliseconds: Int
    ) {
        self.init(keeping: baseline.stepCount, step: baseline.step, milliseconds: milliseconds)
        for change in changes {
            switch change {
            case .moved(let step): self.step = baseline.base + step
            case .input(let input, let step):
                self.step = baseline.base + step
                // An input after an undo gives up what came later.
                inputs.removeLast(max(0, min(inputs.count, stepCount - (self.step - 1))))
                keeping = min(keeping, self.step - 1)
                inputs.append(input)
            }
        }
    }
}
