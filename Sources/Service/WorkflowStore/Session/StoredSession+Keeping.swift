import WorkflowKit
import WorkflowLua

extension StoredSession {
    /// Runs a call in a session and stores its effects and the pending ones.
    @discardableResult
    func catchUp(
        _ live: LiveSession, _ call: SessionCall = .nothing()
    ) async throws -> SessionMoment {
        let batch = try await play([call], in: live)
        try await save(batch, of: live)
        return try batch.outcomes[0].result(of: live).get()
    }

    /// Runs calls in a session, with a process if scripts run in separate ones.
    func play(_ calls: [SessionCall], in live: LiveSession) async throws -> Batch {
        let (session, baseline) = (live.session, live.baseline(interval: storage.snapshotInterval))
        guard let first = calls.first(where: \.runsScripts) else {
            return await serve(calls, in: session, baseline)
        }
        try await session.borrowProcess(of: first.share)
        defer { session.giveBackProcess() }
        return await serve(calls, in: session, baseline)
    }

    /// Stores the pending effects of workers.
    func saveNews() async {
        // Workers that were stopped have ended.
        if live == nil, suspension.isOn { return }
        do {
            try await call(.nothing())
        } catch {
            // Nobody waits for an answer, so the error becomes an event.
            let error = (error as? StoreError).map(FlowError.init) ?? FlowError(.host, "\(error)")
            if !isClosed { try? await perform { $0.record(.error(error)) } }
        }
    }

    /// Stores the effects of calls, then publishes them.
    func save(_ batch: Batch, of live: LiveSession) async throws(StoreError) {
        // It was given up meanwhile.
        guard self.live === live else { throw .stuck(id) }
        if let change = batch.change {
            let version = try await append(change, to: live)
            live.advance(
                to: version, by: change, snapshotStep: batch.snapshotStep,
                refusedRevision: batch.refusedRevision)
            await confirm(live, through: change.step)
        }
        publish(batch.events, of: live)
        if var news = batch.news {
            news.moment.version = live.version
            news.moment.screen = live.screen
            onNews(news)
        }
    }

    /// Starts the workers of all steps up to a stored one, if they are to run here.
    func confirm(_ live: LiveSession, through step: Int) async {
        if suspension.isOn { live.suspend() }
        if !live.isHeld { await live.session.confirm(through: step - live.base) }
    }

    func follow(_ onNews: @escaping @Sendable (SessionNews) -> Void) { self.onNews = onNews }

    /// Returns the new version. After an error the session is loaded again, if possible.
    private func append(
        _ change: SessionChange, to live: LiveSession
    ) async throws(StoreError) -> Int {
        do throws(StoreError) {
            let version = try await store.append(change, to: id, expecting: live.version)
            failures = 0
            return version
        } catch {
            if error.isRefusal {
                let lost = error.code == .conflict ? LostOutputs(change, after: live.step) : nil
                throw await loadAgain(after: error, lost)
            }
            failures += 1
            let kept: SessionSummary
            do throws(StoreError) { kept = try await store.summary(of: id) } catch let reason {
                throw await loadAgain(
                    after: reason.code == .notFound ? reason : .unknown(id, after: error))
            }
            if kept.change == change.id {
                failures = 0
                return kept.version
            }
            // Another process may have continued from this change.
            throw await loadAgain(
                after: kept.version == live.version ? error : .unknown(id, after: error))
        }
    }

    func publish(_ events: [FlowEvent], of live: LiveSession) {
        step = live.step
        stepCount = live.stepCount
        for event in events {
            switch event.kind {
            case .rendering(let value, let actions, _):
                rendering = value
                actionTypes = actions
            case .ready(let header): name = header.flow
            default: break
            }
            onEvent(event)
        }
    }

    /// Loads it again after a refused change, whose outputs of workers were lost.
    private func loadAgain(
        after error: StoreError, _ lost: LostOutputs? = nil
    ) async -> StoreError {
        var error = error
        await drop()
        if isClosing { return error }
        do {
            try await load(replaying: lost)
            error.notes.append("the session was loaded again and stands at step \(step)")
        } catch let reason {
            error.notes.append("the session cannot be loaded again yet: \(reason)")
        }
        return error
    }
}
