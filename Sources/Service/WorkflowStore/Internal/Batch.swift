import PlainValue
import WorkflowKit
import WorkflowLua

/// The results of calls in a session, which are stored and then published.
struct Batch: Sendable {
    var change: SessionChange?
    /// The step of a snapshot that was made or could not be made.
    var snapshotStep: Int?
    /// The session's `refusedRevision` after the calls.
    var refusedRevision: Int
    var events: [FlowEvent]
    /// The news for followers; `nil` if the timeline did not change.
    var news: SessionNews?
    var outcomes: [Outcome]

    struct Outcome: Sendable {
        var result: SessionCall.Outcome
        /// True if the outcome is valid only if the change is stored.
        var dependsOnChange: Bool

        var hasSucceeded: Bool { (try? result.get()).map { $0.failure == nil } ?? false }
    }
}

/// Runs calls in a session one by one, and collects their effects and the pending ones.
func serve(
    _ calls: [SessionCall], in session: isolated FlowSession, _ baseline: Baseline
) -> Batch {
    let pending = baseline.pending
    pending.setServed(true)
    defer { pending.setServed(false) }
    var change = GrowingChange(
        from: baseline.place, version: baseline.version, milliseconds: session.options.now())
    change.add(pending.removeChanges())
    var events = pending.removeEvents()
    var outcomes: [Batch.Outcome] = []
    for call in calls {
        let (result, news) = serve(call, in: session, &change, baseline)
        outcomes.append(Batch.Outcome(result: result, dependsOnChange: change.isChanged))
        events += news
    }
    let makesSnapshot = calls.contains(where: \.makesSnapshot)
    let takesOver = zip(calls, outcomes).contains { call, outcome in
        call.takesOver && outcome.hasSucceeded
    }
    return finish(change, in: session, baseline, makesSnapshot, takesOver, events, outcomes)
}

private func serve(
    _ call: SessionCall, in session: isolated FlowSession, _ change: inout GrowingChange,
    _ baseline: Baseline
) -> (SessionCall.Outcome, [FlowEvent]) {
    change.beginCall()
    let place = change.place
    let result = Result { try call.body(session, place) }
    if call.runsScripts { session.renderIfProcessEnded() }
    let hasChanged = change.add(baseline.pending.removeChanges())
    let events = baseline.pending.removeEvents()
    // A call that failed without effects may be tried again.
    if let key = call.key, hasChanged || (try? result.get()) != nil { change.addReceipt(of: key) }
    let outputs = events.compactMap { event -> Value? in
        if case .output(let output) = event.kind { output } else { nil }
    }
    var moment = SessionMoment(
        step: change.place.step, stepCount: change.place.stepCount, version: baseline.version,
        screen: place.screen, rendering: session.rendering, actionTypes: session.actionTypes,
        outputs: outputs)
    if case .failure(let error) = result {
        guard hasChanged, let failure = error as? FlowError else {
            return (.failure(error), events)
        }
        moment.failure = failure
    }
    return (.success(moment), events)
}

private func finish(
    _ growing: GrowingChange, in session: isolated FlowSession, _ baseline: Baseline,
    _ makesSnapshot: Bool, _ takesOver: Bool, _ events: [FlowEvent], _ outcomes: [Batch.Outcome]
) -> Batch {
    var change = growing.change
    change.wakeAt = session.wakeAt
    // Before its workers have started, their rest is unknown: the step keeps its value.
    if change.wakeAt == 0, !growing.isMoved { change.wakeAt = baseline.wakeAt ?? 0 }
    // Another host goes on with workers that it cannot pause.
    change.leavesWorkers = baseline.isHeld && baseline.wakeAt == 0
    if change.leavesWorkers { change.wakeAt = 0 }
    let isHeld = baseline.isHeld && !growing.isChanged
    // Only a snapshot tells what is kept of refused outputs.
    let hasRefused = session.refusedRevision != baseline.refusedRevision && !session.isInPast
    let isWanted =
        takesOver || !isHeld && (hasRefused || baseline.wantsSnapshot(of: change, makesSnapshot))
    // A state that cannot be rendered now can only be reached through its inputs.
    let isDue = isWanted && session.isWhole
    // A state that cannot be stored causes an event; the inputs are stored anyway.
    if isDue, let snapshot = try? session.snapshot() {
        change.snapshot = SessionSnapshot(step: change.step, document: snapshot.document)
        if takesOver { change.firstStep = change.step }
    }
    // This reads all texts, so it happens only with a snapshot, or when one is due for new files.
    if change.snapshot != nil || baseline.interval == 1 && !change.inputs.isEmpty,
        session.hash != baseline.code,
        let code = session.code.map({ baseline.keptCode?.completing($0) ?? $0 }),
        code.hash != baseline.code
    {
        change.code = code
    }
    let isChanged =
        growing.isChanged || change.snapshot != nil
        || !isHeld && (change.wakeAt != baseline.wakeAt || !baseline.isFirstKept)
    let outputs = baseline.pending.removeOutputs().map {
        SessionNews.StepOutputs(step: baseline.place.base + $0.step, outputs: $0.outputs)
    }
    var news =
        growing.isMoved
        ? SessionNews(
            moment: SessionMoment(
                step: change.step, stepCount: change.stepCount, version: baseline.version,
                screen: baseline.place.screen, rendering: session.rendering,
                actionTypes: session.actionTypes),
            outputs: outputs) : nil
    news?.asksForAccess = session.past.flow?.asksForAccess ?? false
    return Batch(
        change: isChanged ? change : nil, snapshotStep: isDue ? change.step : nil,
        refusedRevision: session.refusedRevision,
        events: events + baseline.pending.removeEvents(), news: news, outcomes: outcomes)
}
