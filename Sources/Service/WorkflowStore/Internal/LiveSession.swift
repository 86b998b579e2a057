import WorkflowKit

/// A running session and its position in the store. It belongs to a ``StoredSession``.
final class LiveSession {
    let session: FlowSession
    let pending: PendingNews
    /// The store's step that is the session's step 0.
    let base: Int
    /// The first reachable step, and the first one that the store has.
    private(set) var first: Int
    private var keptFirst: Int
    private(set) var version: Int
    private(set) var screen: SessionScreen
    private(set) var step: Int
    private(set) var stepCount: Int
    private(set) var lastSnapshot: Int
    private let number: Int
    private var wakeAt: Int?
    private var code: String?
    /// True if another host runs its workers.
    private var runsElsewhere: Bool
    /// True if its workers were not started, because another host may soon run them; see
    /// ``Suspension``. Loading the session again starts them.
    private(set) var isSuspended: Bool
    /// True if the next change needs a snapshot, because of new code or a change soon after.
    var needsSnapshot = false
    /// True until the first snapshot if workers go on from an earlier part of the session. Only a
    /// snapshot tells how long the session was closed; its inputs do not.
    var hasResumedWorkers = false
    /// The `FlowSession.refusedRevision` of the last snapshot.
    var refusedRevision = 0

    /// The files in the store, which may be more than the loaded ones.
    var keptCode: FlowCode?

    /// - Parameters:
    ///   - hasOtherFiles: True if other files made the session's beginning.
    ///   - hash: The hash of its own files at that time.
    init(
        _ session: FlowSession, _ pending: PendingNews, _ summary: SessionSummary, base: Int,
        isSuspended: Bool, hasOtherFiles: Bool = false, hash: String? = nil
    ) {
        assert((0...summary.stepCount).contains(base))
        first = hasOtherFiles ? max(base, summary.firstStep) : summary.firstStep
        keptFirst = summary.firstStep
        self.session = session
        self.pending = pending
        self.base = base
        version = summary.version
        screen = SessionScreen(version: summary.screen, code: hasOtherFiles ? hash : nil)
        step = summary.step
        stepCount = summary.stepCount
        number = summary.number
        wakeAt = summary.wakeAt
        runsElsewhere = summary.holder != nil
        self.isSuspended = isSuspended
        code = summary.code
        lastSnapshot = base
    }

    /// The session's wake-up if it is closed now; `nil` for none, or if another host wakes it.
    var wakeUp: WakeUp? {
        runsElsewhere ? nil : wakeAt.map { WakeUp(number: number, milliseconds: $0) }
    }

    /// True if its workers do not run here. Only a call of a client changes the session then.
    var isHeld: Bool { runsElsewhere || isSuspended }

    /// True if it has workers, and they are this host's.
    var hasOwnWorkers: Bool { !runsElsewhere && wakeAt != nil }

    /// Leaves the workers that the last change brought for later.
    func suspend() { isSuspended = true }

    /// True if a worker runs here that does not only wait for a time.
    var isAtWork: Bool { !isHeld && wakeAt == 0 }

    /// The state before the next calls.
    func baseline(interval: Int) -> Baseline {
        Baseline(
            pending: pending,
            place: SessionPlace(
                base: base, first: first, step: step, stepCount: stepCount, screen: screen),
            version: version, lastSnapshot: lastSnapshot, wakeAt: wakeAt, code: code,
            keptCode: keptCode, isFirstKept: keptFirst == first,
            isHeld: isHeld, needsSnapshot: needsSnapshot, refusedRevision: refusedRevision,
            interval: needsSnapshot || hasResumedWorkers ? 1 : interval)
    }

    /// True if inputs that others stored since can be played after those that it has.
    func canFollow(to summary: SessionSummary) -> Bool {
        step == stepCount && summary.step == summary.stepCount && summary.stepCount >= stepCount
            && summary.firstStep == keptFirst && summary.code == code && summary.holder == nil
    }

    /// Called after it has played the inputs that others stored.
    func follow(to summary: SessionSummary) {
        assert(summary.version >= version && summary.stepCount >= stepCount)
        version = summary.version
        step = summary.step
        stepCount = summary.stepCount
        screen.version = summary.screen
        wakeAt = summary.wakeAt
    }

    /// Called after a change was stored.
    func advance(
        to version: Int, by change: SessionChange, snapshotStep: Int?, refusedRevision: Int
    ) {
        assert(version > self.version && change.step <= change.stepCount)
        self.version = version
        if change.isAnotherScreen(from: step, of: stepCount, code) { screen.version = version }
        if change.code != nil { screen.code = nil }
        runsElsewhere = runsElsewhere && change.leavesWorkers
        step = change.step
        stepCount = change.stepCount
        wakeAt = change.wakeAt
        code = change.code?.hash ?? code
        first = change.firstStep
        keptFirst = first
        if change.code != nil { keptCode = change.code }
        lastSnapshot = snapshotStep ?? min(lastSnapshot, change.keeping)
        if change.snapshot != nil {
            (needsSnapshot, hasResumedWorkers) = (false, false)
            self.refusedRevision = refusedRevision
        }
    }
}

/// The state of a session before calls.
struct Baseline: Sendable {
    let pending: PendingNews
    let place: SessionPlace
    let version: Int
    let lastSnapshot: Int
    let wakeAt: Int?
    let code: String?
    let keptCode: FlowCode?
    /// True if the store has the first reachable step.
    let isFirstKept: Bool
    /// True if another host runs the session's workers.
    let isHeld: Bool
    let needsSnapshot: Bool
    let refusedRevision: Int
    let interval: Int

    /// True if a snapshot is due with a change, or a call asks for one.
    func wantsSnapshot(of change: SessionChange, _ isAsked: Bool) -> Bool {
        let distance = abs(change.step - min(lastSnapshot, change.keeping))
        return isAsked
            // Only a snapshot tells how long a worker has been running.
            ? distance > 0 || needsSnapshot || change.wakeAt == 0
            : !change.inputs.isEmpty && distance >= interval
    }
}
