public import WorkflowKit

extension StoredSession {
    /// How many calls are kept together at most.
    static let groupLimit = 256

    /// Does something with the session as it is played, and waits until what came of it is kept.
    ///
    /// The body may send actions, several of which are then kept together or not at all, or look at anything. It cannot wait
    /// for anything, and so not for another call of the session either.
    ///
    /// - Throws: What the body throws, in which case that is kept which it had done before; or the ``StoreError`` of what
    ///   could not be kept.
    public func perform<Result: Sendable>(
        _ body: @escaping @Sendable (isolated FlowSession) throws -> Result
    ) async throws -> Result {
        let result = Returned<Result>()
        try await call { session, _ in result.value = try body(session) }
        guard let value = result.value else { throw StoreError.unknown(id) }
        return value
    }

    /// Looks at the session as it is played, which runs no script.
    ///
    /// - Throws: As ``perform(_:)``.
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

    /// Does something with the session as ``perform(_:)`` does, once for each key.
    ///
    /// - Parameters:
    ///   - key: The request that asks for it. One that was dealt with before is answered from what is kept.
    ///   - step: The step at which the session is to stand; by default any will do.
    ///   - body: What to do.
    /// - Returns: The session right after the body, with what the body has caused the flow to emit.
    /// - Throws: As ``perform(_:)``, and a ``StoreError`` with the code `key_reused`, `given_up`, `bad_key`, or `other_step`
    ///   if the session stands at another step.
    @discardableResult
    public func request(
        _ key: RequestKey? = nil, expecting step: Int? = nil,
        _ body: @escaping @Sendable (isolated FlowSession) throws -> Void
    ) async throws -> SessionMoment {
        try await call(for: key) { session, place in
            try place.require(step)
            try body(session)
        }
    }

    /// Adds something to be done to the calls that wait, and waits for its answer.
    @discardableResult
    func call(
        for key: RequestKey? = nil,
        _ body: @escaping @Sendable (isolated FlowSession, SessionPlace) throws -> Void
    ) async throws -> SessionMoment {
        try key?.validate()
        do {
            return try await call(SessionCall(key, body))
        } catch let error as StoreError where error.code == .noSuchStep || error.code == .otherStep
        {
            // It may be right by what was done elsewhere.
            guard try await refresh() else { throw error }
            return try await call(SessionCall(key, body))
        }
    }

    /// Adds a call to those that wait, and waits for its answer.
    @discardableResult
    func call(_ call: SessionCall) async throws -> SessionMoment {
        let outcome = await withTaskCancellationHandler {
            await call.outcome { enqueue(call) }
        } onCancel: {
            call.cancel(in: id)
        }
        do { return try outcome.get() } catch let repeated as RepeatedRequest {
            // It may have been done elsewhere.
            try await refresh()
            return try await moment(of: repeated.receipt)
        }
    }

    private func enqueue(_ call: SessionCall) {
        calls.append(call)
        guard !isServing else { return }
        isServing = true
        // In a task of its own: the end of one caller's is not that of the others' calls.
        Task(executorPreference: options.executor) { await self.serveAllCalls() }
    }

    private func serveAllCalls() async {
        while !calls.isEmpty { await exclusively { await serveCalls() } }
        isServing = false
        if live == nil, !isClosing { loadLater() }
    }

    /// Deals with calls that wait, and answers them.
    private func serveCalls() async {
        let taken = takeCalls()
        if taken.isEmpty { return }
        do {
            let live = try await loaded()
            let new = try await answerRepeated(taken)
            let batch = try await play(new, in: live)
            do throws(StoreError) { try await save(batch, of: live) } catch {
                for (call, outcome) in zip(new, batch.outcomes) {
                    call.answer(outcome.hangsOnChange ? .failure(error) : outcome.result)
                }
                return
            }
            for (call, outcome) in zip(new, batch.outcomes) {
                call.answer(outcome.result(version: live.version))
            }
            await forgetSteps()
        } catch {
            for call in taken { call.answer(.failure(error)) }
        }
    }

    /// The next calls, each of another request.
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

    /// Answers requests that were dealt with before, and returns the other calls.
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

/// Says that a request was dealt with before.
private struct RepeatedRequest: Error {
    let receipt: Receipt
}

extension Receipt {
    /// Makes sure that a request is the one that was dealt with, and that this still holds.
    ///
    /// - Throws: A ``StoreError`` with the code `key_reused` or `given_up`.
    public func validate(for key: RequestKey) throws(StoreError) {
        if digest != key.digest {
            throw StoreError(
                .keyReused, "another request was sent under the key '\(self.key)' before",
                help: "give each request a key of its own")
        }
        if isGivenUp {
            throw StoreError(
                .givenUp, "the request was done, and its step \(step) was given up since",
                help: "to do it again, send it under another key")
        }
    }
}

extension Batch.Outcome {
    /// What is answered when the change is kept.
    func result(version: Int) -> SessionCall.Outcome {
        result.map { moment in
            var moment = moment
            moment.version = version
            return moment
        }
    }
}
