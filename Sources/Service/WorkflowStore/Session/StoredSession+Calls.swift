public import WorkflowKit

extension StoredSession {
    static let groupLimit = 256

    /// Runs a function in the session and stores its effects before it returns.
    ///
    /// The body may inspect the session and send actions. The store takes all that the body did, or
    /// nothing of it. An error of the body undoes nothing: the actions before it are stored.
    ///
    /// ```swift
    /// let count = try await session.perform { session in
    ///     try session.send(["type": "add", "text": "milk"])
    ///     try session.send(["type": "add", "text": "tea"])
    ///     return session.stepCount
    /// }
    /// ```
    ///
    /// - Important: The body cannot wait, not even for another call of the session.
    /// - Throws: The error of the body, after what it did before is stored; or a ``StoreError`` if
    ///   that cannot be stored.
    public func perform<Result: Sendable>(
        _ body: @escaping @Sendable (isolated FlowSession) throws -> Result
    ) async throws -> Result {
        let result = Returned<Result>()
        try await call { session, _ in result.value = try body(session) }
        guard let value = result.value else { throw StoreError.unknown(id) }
        return value
    }

    /// Inspects the running session without running scripts. Throws as ``perform(_:)``.
    package func look<Result: Sendable>(
        _ body: @escaping @Sendable (isolated FlowSession) throws -> Result
    ) async throws -> Result {
        let result = Returned<Result>()
        try await call(
            SessionCall(nil, runsScripts: false) { session, _ in
                result.value = try body(session)
            })
        guard let value = result.value else { throw StoreError.unknown(id) }
        return value
    }

    /// Runs a function in the session like ``perform(_:)``, once for each key.
    ///
    /// ```swift
    /// try await session.request(key, expecting: [moment.tag]) { session in
    ///     try session.send(["type": "clear_done"])
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - key: The key of the request. A completed request is answered from the store. Only the
    ///     key's own ``RequestKey/digest`` tells it from a request with another body.
    ///   - tags: The session must have one of them; by default any. See ``SessionMoment/tag``.
    ///   - body: The function.
    /// - Returns: The session after the body, with the outputs that the body caused.
    /// - Throws: As ``perform(_:)``, and a ``StoreError`` with the code `key_reused`, `given_up`,
    ///   `bad_key`, or `other_step` if the session has none of the tags.
    @discardableResult
    public func request(
        _ key: RequestKey? = nil, expecting tags: [String]? = nil,
        _ body: @escaping @Sendable (isolated FlowSession) throws -> Void
    ) async throws -> SessionMoment {
        try await answer(key, expecting: tags, body).whole()
    }

    /// Runs a function as ``request(_:expecting:_:)`` does, and also returns the session after an
    /// error if inputs were stored before it; the moment has the error then.
    package func answer(
        _ key: RequestKey? = nil, expecting tags: [String]? = nil,
        _ body: @escaping @Sendable (isolated FlowSession) throws -> Void
    ) async throws -> SessionMoment {
        try await answer(for: key) { session, place in
            try place.require(tags)
            try body(session)
        }
    }

    /// The session as it is now, with the version that the check saw, unless that throws.
    package func moment(if check: @escaping SessionCheck) async throws -> SessionMoment {
        try await call(SessionCall(nil, isLast: true) { session, _ in try check(session) })
    }

    @discardableResult
    func call(
        for key: RequestKey? = nil, isLast: Bool = false,
        _ body: @escaping @Sendable (isolated FlowSession, SessionPlace) throws -> Void
    ) async throws -> SessionMoment {
        try await answer(for: key, isLast: isLast, body).whole()
    }

    private func answer(
        for key: RequestKey?, isLast: Bool = false,
        _ body: @escaping @Sendable (isolated FlowSession, SessionPlace) throws -> Void
    ) async throws -> SessionMoment {
        try key?.validate()
        do {
            return try await answer(SessionCall(key, isLast: isLast, body))
        } catch let error as StoreError where error.code == .noSuchStep || error.code == .otherStep
        {
            // A change by another process may have made it valid.
            guard try await refresh() else { throw error }
            return try await answer(SessionCall(key, isLast: isLast, body))
        }
    }

    @discardableResult
    func call(_ call: SessionCall) async throws -> SessionMoment {
        try await answer(call).whole()
    }

    private func answer(_ call: SessionCall) async throws -> SessionMoment {
        let outcome = await withTaskCancellationHandler {
            await call.outcome { enqueue(call) }
        } onCancel: {
            call.cancel(in: id)
        }
        do { return try outcome.get() } catch let repeated as RepeatedRequest {
            // Another process may have completed it.
            try await refresh()
            return try await moment(of: repeated.receipt)
        }
    }

    private func enqueue(_ call: SessionCall) {
        calls.append(call)
        guard !isServing else { return }
        isServing = true
        // A separate task, so that the cancellation of a caller does not affect the others.
        Task(executorPreference: options.executor) { await self.serveAllCalls() }
    }

    private func serveAllCalls() async {
        while !calls.isEmpty { await exclusively { await serveCalls() } }
        isServing = false
        if live == nil, !isClosing { loadLater() }
    }

    private func serveCalls() async {
        let taken = takeCalls()
        if taken.isEmpty { return }
        do {
            var live = try await loaded()
            if live.isAtWork, (store as? any SharedSessionStore)?.hasOtherHosts == true {
                // Loading it after a conflict would start its workers again.
                try await catchUpWithOthers(live)
                live = try await loaded()
            }
            let new = try await answerRepeated(taken)
            var batch = try await play(new, in: live)
            // The session may have been dropped meanwhile; see ``suspendWorkers()``.
            while self.live !== live {
                live = try await loaded()
                batch = try await play(new, in: live)
            }
            assert(batch.outcomes.count == new.count, "a call would never be answered")
            do throws(StoreError) { try await save(batch, of: live) } catch {
                for (call, outcome) in zip(new, batch.outcomes) {
                    call.answer(outcome.dependsOnChange ? .failure(error) : outcome.result)
                }
                return
            }
            for (call, outcome) in zip(new, batch.outcomes) {
                call.answer(outcome.result(of: live))
            }
            await forgetSteps()
        } catch {
            for call in taken { call.answer(.failure(error)) }
        }
    }

    /// The next calls, with no request twice.
    private func takeCalls() -> [SessionCall] {
        var keys: Set<String> = []
        let isRepeated: (SessionCall) -> Bool = { call in
            call.key.map { !keys.insert($0.key).inserted } ?? false
        }
        let next = calls.prefix(Self.groupLimit)
        var taken = next[..<(next.firstIndex(where: isRepeated) ?? next.endIndex)]
        if let last = taken.firstIndex(where: \.isLast) { taken = taken[...last] }
        calls.removeFirst(taken.count)
        return taken.filter { $0.begin() }
    }

    /// Answers completed requests and returns the other calls.
    private func answerRepeated(_ calls: [SessionCall]) async throws(StoreError) -> [SessionCall] {
        let keys = calls.compactMap(\.key?.key)
        guard !keys.isEmpty else { return calls }
        let receipts = Dictionary(
            uniqueKeysWithValues: try await store.receipts(keys, of: id).map { ($0.key, $0) })
        return calls.filter { call in
            guard let key = call.key, let receipt = receipts[key.key] else { return true }
            call.answer(
                Result {
                    try receipt.validate(for: key)
                    throw RepeatedRequest(receipt: receipt)
                })
            return false
        }
    }
}

extension SessionMoment {
    /// The moment, if nothing failed on the way to it.
    fileprivate func whole() throws -> SessionMoment {
        if let failure { throw failure }
        return self
    }
}

private struct RepeatedRequest: Error {
    let receipt: Receipt
}

extension Receipt {
    /// Checks that the key belongs to the completed request and that its step was not dropped.
    ///
    /// - Throws: A ``StoreError`` with the code `key_reused` or `given_up`.
    public func validate(for key: RequestKey) throws(StoreError) {
        if digest != key.digest ?? 0 { throw .reusedKey(self.key) }
        if isGivenUp { throw .givenUp(step) }
    }
}

extension Batch.Outcome {
    /// The answer once the change is stored.
    func result(of live: LiveSession) -> SessionCall.Outcome {
        let (version, screen) = (live.version, live.screen)
        return result.map { moment in
            var moment = moment
            moment.version = version
            moment.screen = screen
            return moment
        }
    }
}
