import WorkflowKit
import WorkflowLua

extension StoredSession {
    /// The running session. If it could not be loaded before, tries again.
    func loaded() async throws -> LiveSession {
        if !isClosed, live == nil { try await load() }
        // The session may have been closed meanwhile.
        guard !isClosed, let live else { throw StoreError.closed(id) }
        return live
    }

    /// Plays the session from the store.
    ///
    /// - Parameters:
    ///   - step: The step to show; by default the session's current one.
    ///   - key: The key of the request to show the step.
    ///   - lost: Outputs of workers that could not be stored. Those of workers that still run are
    ///     played again, so that these do not start again.
    @discardableResult
    func load(
        _ known: SessionContents? = nil, showing step: Int? = nil, for key: RequestKey? = nil,
        replaying lost: LostOutputs? = nil
    ) async throws -> SessionMoment {
        var contents =
            if let known { known } else { try await store.load(id, reaching: step) }
        if try await settles(contents) { contents = try await store.load(id, reaching: step) }
        let snapshot = try snapshot(of: contents)
        // A session is never played twice at the same time.
        await drop()
        let (session, pending) = try await open(&contents, from: snapshot)
        try requireNotGivenUp()
        let (hasOtherFiles, hash) = await session.beginning
        let live = LiveSession(
            session, pending, contents.summary, base: contents.snapshot.step,
            isSuspended: suspension.isOn, hasOtherFiles: hasOtherFiles, hash: hash)
        if !hasOtherFiles, let code = contents.summary.code, code != hash {
            live.keptCode = try await store.code(code)
        }
        adopt(live)
        let moment: SessionMoment
        do {
            let target = (step ?? contents.summary.step) - live.base
            let files = Returned<[String: String]>()
            let hasResumed = Returned<Bool>()
            live.refusedRevision = await live.session.refusedRevision
            let moves = await live.session.step != target
            let lost = live.isHeld || live.step < live.stepCount ? nil : lost
            moment = try await catchUp(
                live,
                SessionCall(key, runsScripts: moves || lost != nil) { session, _ in
                    if session.step != target { try session.go(to: target) }
                    lost?.play(in: session)
                    files.value = session.past.flow?.codeHashes
                    hasResumed.value = session.hasResumedWorkers
                })
            // A session that was due soon closes again: its effects and snapshot are one change.
            let isDue = contents.summary.wakeAt.map { $0 <= options.now() } ?? false
            live.needsSnapshot = isDue && !live.isHeld || files.value != snapshot.files
            live.hasResumedWorkers = hasResumed.value == true
            // The present files may take what others refused. The log tells if they do not.
            if hasOtherFiles, !live.isHeld, live.refusedRevision != 0 {
                try await catchUp(
                    live,
                    SessionCall(nil) { session, _ in
                        if !session.isInPast { _ = try? session.retry() }
                    })
            }
        } catch {
            if self.live === live { await drop() }
            throw error
        }
        await confirm(live, through: live.stepCount)
        return moment
    }

    /// Plays a session from the store, without the last inputs that its files reject. Other files
    /// may reject undone inputs, or inputs that the previous files could not render.
    private func open(
        _ contents: inout SessionContents, from snapshot: FlowSnapshot
    ) async throws -> (FlowSession, PendingNews) {
        let base = contents.snapshot.step
        var counts = [contents.inputs.count]
        for count in [contents.summary.step - base, 0] where (0..<counts[0]) ~= count {
            counts.append(count)
        }
        var refusal: FlowError?
        while true {
            let count = counts.removeFirst()
            let pending = PendingNews()
            do throws(FlowError) {
                let session = try await FlowSession.open(
                    source, options: options(notifying: pending, from: base),
                    restoring: snapshot, replaying: Array(contents.inputs.prefix(count)),
                    onEvent: { pending.add($0) })
                if let refusal {
                    contents.inputs.removeLast(contents.inputs.count - count)
                    contents.summary.stepCount = base + count
                    contents.summary.step = min(contents.summary.step, base + count)
                    await session.record(
                        .log(
                            level: .warning,
                            message: "steps after \(base + count) are given up: \(refusal.message)",
                            location: nil))
                }
                return (session, pending)
            } catch {
                let first = refusal ?? error
                guard error.code == .snapshot, !counts.isEmpty else { throw first }
                refusal = first
            }
        }
    }

    /// Stores a snapshot of the session's last state, and returns true, if the session continues
    /// with other files. Their inputs start there, and the earlier inputs do not belong to them.
    ///
    /// - Throws: As ``settled(_:)``.
    private func settles(_ contents: SessionContents) async throws -> Bool {
        guard let last = try await settled(contents) else { return false }
        let summary = contents.summary
        let change = SessionChange(
            keeping: summary.stepCount, step: summary.step, snapshot: last,
            wakeAt: summary.wakeAt,
            leavesWorkers: summary.holder != nil && summary.wakeAt == 0,
            milliseconds: options.now())
        _ = try await store.append(change, to: id, expecting: summary.version)
        return true
    }

    /// The snapshot for continuing with other files; `nil` if that of the store will do.
    ///
    /// - Throws: A `FlowError` if the previous files cannot play the session, or a ``StoreError``.
    func settled(_ contents: SessionContents) async throws -> SessionSnapshot? {
        let (summary, base) = (contents.summary, contents.snapshot.step)
        guard base < summary.step, let hash = summary.code else { return nil }
        var beginning = contents
        beginning.inputs = []
        let (hasOtherFiles, loaded) = try await aside(beginning) {
            await ($0.beginning.hasOtherFiles, $0.code)
        }
        // The last inputs may belong to these files already, without a snapshot since.
        guard hasOtherFiles, let code = try await store.code(hash),
            loaded.map({ code.completing($0).hash }) != hash
        else { return nil }
        let last = try await aside(contents, in: code.source()) { session in
            // The session cannot continue from a state that cannot be rendered.
            var step = summary.step - base
            try await session.go(to: step)
            while step > 0, await !session.isWhole {
                step -= 1
                try await session.go(to: step)
            }
            return SessionSnapshot(
                step: base + step, document: try await session.snapshot().document)
        }
        return last.step > base ? last : nil
    }

    /// Drops the older steps from memory if there are too many. The store still has them.
    func forgetSteps() async {
        guard let live, options.journal == nil,
            live.lastSnapshot - live.base >= storage.stepsInMemory,
            await live.session.mayBeReplaced
        else { return }
        // After an error, the next calls try again.
        _ = try? await load()
    }

    func snapshot(of contents: SessionContents) throws -> FlowSnapshot {
        var snapshot = try FlowSnapshot(document: contents.snapshot.document)
        snapshot.isLenient = storage.isLenient
        return snapshot
    }

    func begin(for request: RequestKey? = nil, allow: SessionCheck? = nil) async throws {
        let pending = PendingNews()
        let session = try await FlowSession.open(
            source, options: options(notifying: pending), onEvent: { pending.add($0) })
        try requireNotGivenUp()
        if let allow {
            do { try await session.check(allow) } catch {
                await session.close()
                throw error
            }
            try requireNotGivenUp()
        }
        let new = try await session.newSession(id, for: request)
        let live = LiveSession(
            session, pending, try await create(new), base: 0, isSuspended: suspension.isOn)
        adopt(live)
        try await catchUp(live)
        await confirm(live, through: 0)
    }

    private func create(_ new: NewSession) async throws(StoreError) -> SessionSummary {
        do throws(StoreError) { return try await store.create(new) } catch {
            if error.isRefusal { throw error }
            let kept: SessionSummary
            do throws(StoreError) { kept = try await store.summary(of: id) } catch let reason {
                throw reason.code == .notFound ? error : .unknown(id, after: error)
            }
            guard kept.change == new.change else { throw .exists(id) }
            return kept
        }
    }

    private func options(notifying pending: PendingNews, from step: Int = 0) -> FlowOptions {
        var options = options
        options.sessionName = id
        options.firstStep = step
        options.onInput = { [tell = options.onInput] input, step in
            pending.add(input, step: step)
            tell?(input, step)
        }
        return options
    }

    private func adopt(_ live: LiveSession) {
        self.live = live
        // The stream ends when the session that writes to it is released.
        let (news, clock) = (live.pending.news, options.clock)
        Task(executorPreference: options.executor) { [weak self] in
            for await _ in news {
                if let pause = await self?.pause { try? await clock.sleep(for: pause) }
                await self?.saveNews()
            }
        }
    }

    /// The delay before the next attempt after repeated failures; `nil` without them. Without it, a
    /// worker whose output cannot be stored would start again and again.
    private var pause: Duration? {
        failures < 2 ? nil : min(.milliseconds(50 << min(failures, 10)), .seconds(30))
    }

    /// Loads the session again after a delay. Its workers must not wait for the next call.
    func loadLater() {
        guard !isToBeLoaded else { return }
        isToBeLoaded = true
        failures += 1
        let (pause, clock) = (max(pause ?? .zero, .seconds(1)), options.clock)
        Task(executorPreference: options.executor) { [weak self] in
            // Only a cancelled sleep fails, and nobody cancels this task.
            try? await clock.sleep(for: pause)
            await self?.loadNow()
        }
    }

    private func loadNow() async {
        isToBeLoaded = false
        if suspension.isOn { return }
        // After an error, another attempt is scheduled.
        _ = try? await look { _ in }
    }

    @discardableResult
    func drop(within limit: Duration = .seconds(2)) async -> [String] {
        guard let old = live else { return [] }
        live = nil
        wakeUp = old.wakeUp
        if options.journal != nil {
            await old.session.record(
                .log(
                    level: .warning, message: "the recording ends: the session was loaded again",
                    location: nil))
            options.journal = nil
        }
        return await old.session.close(within: limit)
    }
}

extension FlowSession {
    /// Makes a check, which may run scripts.
    fileprivate nonisolated func check(_ allow: SessionCheck) async throws {
        try await borrowProcess()
        defer { giveBackProcess() }
        try await allow(self)
    }

    /// The session at its beginning.
    fileprivate func newSession(
        _ id: String, for request: RequestKey?
    ) throws(FlowError) -> NewSession {
        let snapshot = try snapshot()
        return NewSession(
            id: id, flow: snapshot.flow, document: snapshot.document, code: code,
            receipt: request.map { Receipt(key: $0.key, digest: $0.digest ?? 0, step: 0) },
            wakeAt: wakeAt, milliseconds: options.now())
    }
}
