import WorkflowKit

/// A session as it is played now, and where it stands in its store. Belongs to a ``StoredSession``.
final class LiveSession {
    let session: FlowSession
    let pending: PendingNews
    /// The step of the store at which the session's own steps begin.
    let base: Int
    private(set) var version: Int
    private(set) var step: Int
    private(set) var stepCount: Int
    private(set) var lastSnapshot: Int
    /// The number of the session in its store.
    private let number: Int
    private var wakeAt: Int?
    private var code: String?
    /// Whether the next change is to have a snapshot: the code is no longer that of the last one, or another soon follows.
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
        number = summary.number
        wakeAt = summary.wakeAt
        code = summary.code
        lastSnapshot = base
    }

    /// When the session is to be woken if it is closed now; `nil` if never.
    var wakeUp: WakeUp? { wakeAt.map { WakeUp(number: number, milliseconds: $0) } }

    /// What is known before something is done.
    func baseline(interval: Int) -> Baseline {
        Baseline(
            pending: pending,
            place: SessionPlace(base: base, step: step, stepCount: stepCount),
            version: version, lastSnapshot: lastSnapshot, wakeAt: wakeAt, code: code,
            interval: needsSnapshot ? 1 : interval)
    }

    /// Notes that a change is kept.
    func advance(to version: Int, by change: SessionChange, snapshotStep: Int?) {
        self.version = version
        step = change.step
        stepCount = change.stepCount
        wakeAt = change.wakeAt
        code = change.code?.hash ?? code
        lastSnapshot = snapshotStep ?? min(lastSnapshot, change.keeping)
        if change.snapshot != nil { needsSnapshot = false }
    }
}

/// What is known of a session before something is done in it.
struct Baseline: Sendable {
    let pending: PendingNews
    let place: SessionPlace
    let version: Int
    let lastSnapshot: Int
    let wakeAt: Int?
    let code: String?
    let interval: Int
}
