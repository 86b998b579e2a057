import WorkflowKit
import WorkflowLua

extension StoredSession {
    /// The session as it is played; one that could not be loaded again is tried once more.
    func loaded() async throws -> LiveSession {
        if !isClosed, live == nil { try await load() }
        // It may have been closed meanwhile.
        guard !isClosed, let live else {
            throw StoreError(.closed, "the session '\(id)' is closed")
        }
        return live
    }

    /// Plays the session as the store has it.
    ///
    /// - Parameters:
    ///   - known: What the store has; by default it is asked.
    ///   - step: The step to show; by default the one at which it stands.
    ///   - key: The request that wants the step to be shown.
    @discardableResult
    func load(
        _ known: SessionContents? = nil, showing step: Int? = nil, for key: RequestKey? = nil
    ) async throws -> SessionMoment {
        var contents =
            if let known { known } else { try await store.load(id, reaching: step) }
        if try await settles(contents) { contents = try await store.load(id, reaching: step) }
        let snapshot = try snapshot(of: contents)
        // Two sessions of one name are never at work at a time.
        await drop()
        let (session, pending) = try await open(&contents, from: snapshot)
        let (hasOtherFiles, hash) = await session.beginning
        let live = LiveSession(
            session, pending, contents.summary, base: contents.snapshot.step,
            hasOtherFiles: hasOtherFiles)
        if !hasOtherFiles, let code = contents.summary.code, code != hash {
            live.keptCode = try await store.code(code)
        }
        adopt(live)
        let moment: SessionMoment
        do {
            let target = (step ?? contents.summary.step) - live.base
            let files = Returned<[String: String]>()
            let moves = await live.session.step != target
            moment = try await catchUp(
                live,
                SessionCall(key, runsScripts: moves) { session, _ in
                    if session.step != target { try session.go(to: target) }
                    files.value = session.player.flow?.codeHashes
                })
            // One that was to be woken is closed again soon: what it does goes into one change with its snapshot.
            let isDue = contents.summary.wakeAt.map { $0 <= options.now() } ?? false
            live.needsSnapshot = isDue || files.value != snapshot.files
        } catch {
            if self.live === live { await drop() }
            throw error
        }
        await live.session.confirm(through: live.stepCount - live.base)
        return moment
    }

    /// Plays a session as the store has it, without the last inputs that its files do not take: other files may refuse what
    /// was undone, or what those of before could not render.
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

    /// Keeps a snapshot of what a session was when it was played last, if it goes on with other files: what these are given
    /// begins there, and inputs of before are not theirs.
    ///
    /// - Returns: Whether there is such a snapshot now.
    /// - Throws: The `FlowError` that keeps the files of before from playing that, or a ``StoreError``.
    private func settles(_ contents: SessionContents) async throws -> Bool {
        let (summary, base) = (contents.summary, contents.snapshot.step)
        guard base < summary.step, let hash = summary.code else { return false }
        var beginning = contents
        beginning.inputs = []
        let (hasOtherFiles, loaded) = try await aside(beginning) {
            await ($0.hasOtherFiles, $0.code)
        }
        // The last inputs may have come to these files, without a snapshot since.
        guard hasOtherFiles, let code = try await store.code(hash),
            loaded.map({ code.completing($0).hash }) != hash
        else { return false }
        let last = try await aside(contents, in: code.source()) { session in
            // What cannot be rendered cannot be gone on from.
            var step = summary.step - base
            try await session.go(to: step)
            while step > 0, await !session.isWhole {
                step -= 1
                try await session.go(to: step)
            }
            return (step: base + step, document: try await session.snapshot().document)
        }
        guard last.step > base else { return false }
        let change = SessionChange(
            keeping: summary.stepCount, step: summary.step,
            snapshot: SessionSnapshot(step: last.step, document: last.document),
            wakeAt: summary.wakeAt, milliseconds: options.now())
        _ = try await store.append(change, to: id, expecting: summary.version)
        return true
    }

    /// Leaves steps to the store if there are more in memory than are to be.
    func forgetSteps() async {
        guard let live, options.journal == nil,
            live.lastSnapshot - live.base >= settings.stepsInMemory,
            await live.session.mayBeReplaced
        else { return }
        // What fails now is tried again with the next calls.
        _ = try? await load()
    }

    func snapshot(of contents: SessionContents) throws -> FlowSnapshot {
        var snapshot = try FlowSnapshot(document: contents.snapshot.document)
        snapshot.isLenient = settings.isLenient
        return snapshot
    }

    /// Plays a session from its beginning and keeps it.
    func begin(for request: RequestKey? = nil) async throws {
        let pending = PendingNews()
        let session = try await FlowSession.open(
            source, options: options(notifying: pending), onEvent: { pending.add($0) })
        let new = try await session.newSession(id, for: request)
        let live = LiveSession(session, pending, try await create(new), base: 0)
        adopt(live)
        try await catchUp(live)
        await session.confirm(through: 0)
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

    /// - Parameter step: The step at which what is played begins.
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

    /// Plays `live` from now on.
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

    /// How long to wait before something is tried again that failed more than once; `nil` if it did not.
    ///
    /// A worker that is done at once, as one is whose time has come, is run again whenever what it gives is not kept.
    private var pause: Duration? {
        failures < 2 ? nil : min(.milliseconds(50 << min(failures, 10)), .seconds(30))
    }

    /// Loads the session again in a while, as it could not be now: its workers wait for nobody to ask for it.
    func loadLater() {
        guard !isToBeLoaded else { return }
        isToBeLoaded = true
        failures += 1
        let (pause, clock) = (max(pause ?? .zero, .seconds(1)), options.clock)
        Task(executorPreference: options.executor) { [weak self] in
            try? await clock.sleep(for: pause)
            await self?.loadNow()
        }
    }

    private func loadNow() async {
        isToBeLoaded = false
        _ = try? await look { _ in }
    }

    /// Ends what is played.
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
    /// The session as it begins.
    fileprivate func newSession(
        _ id: String, for request: RequestKey?
    ) throws(FlowError) -> NewSession {
        let snapshot = try snapshot()
        return NewSession(
            id: id, flow: snapshot.flow, document: snapshot.document, code: code,
            receipt: request.map { Receipt(key: $0.key, digest: $0.digest, step: 0) },
            wakeAt: wakeAt, milliseconds: options.now())
    }
}
