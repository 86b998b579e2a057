import PlainValue
import WorkflowKit

/// What came of calls that were done in a session, and is to be kept and then told.
struct Batch: Sendable {
    var change: SessionChange?
    /// The step for which a snapshot was made, or could not be made.
    var snapshotStep: Int?
    var events: [FlowEvent]
    /// What is told to those who follow the session; `nil` if its timeline is as before.
    var news: SessionNews?
    /// What came of each call, in order.
    var outcomes: [Outcome]

    struct Outcome: Sendable {
        var result: SessionCall.Outcome
        /// Whether it holds only if the change is kept.
        var hangsOnChange: Bool

        var hasSucceeded: Bool { if case .success = result { true } else { false } }
    }
}

/// Does calls in a session, one after the other, and takes all that came of them and before them.
func serve(
    _ calls: [SessionCall], in session: isolated FlowSession, _ baseline: Baseline
) -> Batch {
    let pending = baseline.pending
    pending.setServed(true)
    defer { pending.setServed(false) }
    var change = GrowingChange(
        from: baseline.place, milliseconds: session.options.now())
    change.add(pending.removeChanges())
    var events = pending.removeEvents()
    var outcomes: [Batch.Outcome] = []
    for call in calls {
        let (result, news) = serve(call, in: session, &change, baseline)
        outcomes.append(Batch.Outcome(result: result, hangsOnChange: change.isChanged))
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
    if let key = call.key {
        // What failed and left nothing may be tried again.
        if case .success = result {
            change.addReceipt(of: key)
        } else if hasChanged {
            change.addReceipt(of: key)
        }
    }
    let outputs = events.compactMap { event -> Value? in
        if case .output(let output) = event.kind { output } else { nil }
    }
    let moment = SessionMoment(
        step: change.place.step, stepCount: change.place.stepCount, version: baseline.version,
        rendering: session.rendering, actionTypes: session.actionTypes, outputs: outputs)
    return (result.map { moment }, events)
}

private func finish(
    _ growing: GrowingChange, in session: isolated FlowSession, _ baseline: Baseline,
    _ makesSnapshot: Bool, _ takesOver: Bool, _ events: [FlowEvent], _ outcomes: [Batch.Outcome]
) -> Batch {
    var change = growing.change
    change.wakeAt = session.wakeAt
    // Before its workers have begun it is not known how long they rest; what was known of the same step holds.
    if change.wakeAt == 0, !growing.isMoved { change.wakeAt = baseline.wakeAt ?? 0 }
    let distance = abs(change.step - min(baseline.lastSnapshot, change.keeping))
    let isWanted =
        takesOver
        || (makesSnapshot
            ? distance > 0 || baseline.interval == 1
            : !change.inputs.isEmpty && distance >= baseline.interval)
    // What cannot be rendered now is reached by its inputs only.
    let isDue = isWanted && session.isWhole
    // A state that cannot be kept is an event; the inputs are kept all the same.
    if isDue, let snapshot = try? session.snapshot() {
        change.snapshot = SessionSnapshot(step: change.step, document: snapshot.document)
        if takesOver { change.firstStep = change.step }
    }
    // All texts are read for it, so not with each action: with a snapshot, or in place of one that is wanted for the files.
    if change.snapshot != nil || baseline.interval == 1 && !change.inputs.isEmpty,
        session.hash != baseline.code,
        let code = session.code.map({ baseline.keptCode?.completing($0) ?? $0 }),
        code.hash != baseline.code
    {
        change.code = code
    }
    let isChanged =
        growing.isChanged || change.snapshot != nil || change.wakeAt != baseline.wakeAt
        || !baseline.isFirstKept
    let outputs = baseline.pending.removeOutputs().map {
        SessionNews.StepOutputs(step: baseline.place.base + $0.step, outputs: $0.outputs)
    }
    let news =
        growing.isMoved
        ? SessionNews(
            moment: SessionMoment(
                step: change.step, stepCount: change.stepCount, version: baseline.version,
                rendering: session.rendering, actionTypes: session.actionTypes),
            outputs: outputs) : nil
    return Batch(
        change: isChanged ? change : nil, snapshotStep: isDue ? change.step : nil,
        events: events + baseline.pending.removeEvents(), news: news, outcomes: outcomes)
}
