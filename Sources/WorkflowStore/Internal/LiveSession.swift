import WorkflowKit

/// A session as it is played now, and where it stands in its store. Belongs to a ``StoredSession``.
final class LiveSession {
    let session: FlowSession
    let pending: PendingNews
    /// The step of the store at which the session's own steps begin.
    let base: Int
    /// The first step that can be gone back to, and what the store has for that.
    private(set) var first: Int
    private var keptFirst: Int
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

    /// What the store has of the flow's files, if that may be more than what is loaded.
    var keptCode: FlowCode?

    /// - Parameter hasOtherFiles: Whether its files have not made what it begins with.
    init(
        _ session: FlowSession, _ pending: PendingNews, _ summary: SessionSummary, base: Int,
        hasOtherFiles: Bool = false
    ) {
        first = hasOtherFiles ? max(base, summary.firstStep) : summary.firstStep
        keptFirst = summary.firstStep
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
            place: SessionPlace(base: base, first: first, step: step, stepCount: stepCount),
            version: version, lastSnapshot: lastSnapshot, wakeAt: wakeAt, code: code,
            keptCode: keptCode, isFirstKept: keptFirst == first,
            interval: needsSnapshot ? 1 : interval)
    }

    /// Notes that a change is kept.
    func advance(to version: Int, by change: SessionChange, snapshotStep: Int?) {
        self.version = version
        step = change.step
        stepCount = change.stepCount
        wakeAt = change.wakeAt
        code = change.code?.hash ?? code
        first = change.firstStep
        keptFirst = first
        if change.code != nil { keptCode = change.code }
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
    let keptCode: FlowCode?
    /// Whether the store knows the first step that can be gone back to.
    let isFirstKept: Bool
    let interval: Int
}
