import PlainValue
import WorkflowKit
import WorkflowLua

// What other hosts store in a session whose workers run here.
extension StoredSession {
    /// Plays what others have stored since, while the workers go on. If that cannot be played after
    /// the inputs that the session has, loads the session, which starts its workers again.
    func catchUpWithOthers(_ live: LiveSession) async throws {
        guard try await store.summary(of: id).version != live.version else { return }
        let contents = try await store.load(id, reaching: live.stepCount)
        let summary = contents.summary
        let kept = try await store.keptStep(of: id, since: live.version)
        guard live.canFollow(to: summary), kept == nil, contents.snapshot.step >= live.base else {
            try await load()
            return
        }
        let inputs = Array(contents.inputs.dropFirst(live.stepCount - contents.snapshot.step))
        try await live.session.borrowProcess()
        defer { live.session.giveBackProcess() }
        let (base, pending) = (live.base, live.pending)
        switch await replay(inputs, after: live.step - base, in: live.session, pending) {
        // Storing the effects of a worker will be a conflict, which is handled there.
        case .isBusy: return
        case .refused: try await load()
        case .played(let events, let outputs, let rendering, let actionTypes):
            live.follow(to: summary)
            await confirm(live, through: live.step)
            publish(events, of: live)
            guard !inputs.isEmpty else { return }
            onNews(
                SessionNews(
                    moment: SessionMoment(
                        step: live.step, stepCount: live.stepCount, version: live.version,
                        screen: live.screen, rendering: rendering, actionTypes: actionTypes),
                    outputs: outputs.map { .init(step: base + $0.step, outputs: $0.outputs) }))
        }
    }
}

/// The outcome of playing stored inputs.
private enum Followed: Sendable {
    case played([FlowEvent], [SessionNews.StepOutputs], rendering: Value, actionTypes: [String])
    /// The session has effects that are not stored.
    case isBusy
    /// An input leads to another step than it did where it was stored.
    case refused
}

private func replay(
    _ inputs: [FlowInput], after step: Int, in session: isolated FlowSession,
    _ pending: PendingNews
) -> Followed {
    pending.setServed(true)
    defer { pending.setServed(false) }
    guard !pending.hasChanges, session.step == step else { return .isBusy }
    for (index, input) in inputs.enumerated() {
        // One that could not be rendered was stored, too.
        try? session.play(input)
        guard session.step == step + index + 1 else { return .refused }
    }
    _ = pending.removeChanges()
    return .played(
        pending.removeEvents(), pending.removeOutputs(), rendering: session.rendering,
        actionTypes: session.actionTypes)
}

/// Outputs of workers in a change that was refused, because another host changed the session first.
struct LostOutputs: Sendable {
    private let news: [WorkerNews]
    /// The last step before them.
    private let step: Int

    init?(_ change: SessionChange, after step: Int) {
        news = change.inputs.compactMap { input in
            if case .worker(let news) = input.kind { news } else { nil }
        }
        if news.isEmpty { return nil }
        self.step = step
    }

    /// Plays those of the workers that ran then and still do.
    func play(in session: isolated FlowSession) {
        for news in news {
            // A worker that was declared since is another run.
            guard let declared = session.step(ofWorkerOf: news), declared <= step else { continue }
            try? session.play(.worker(news))
        }
    }
}
