import PlainValue
import WorkflowKit
import WorkflowLua

extension StoredSession {
    /// The session after a step, as the current code plays it, with the outputs of the step's
    /// input. The session stays at its current step.
    ///
    /// ```swift
    /// let beginning = try await session.moment(at: 0)
    /// print(beginning.rendering["title"] ?? .null)  // "0 of 0 done"
    /// ```
    ///
    /// - Parameter step: The step; by default the session's current one, without outputs.
    /// - Throws: A ``StoreError`` with the code `no_such_step` if the step does not exist or was
    ///   compacted away; a `FlowError` if the current flow cannot reach it.
    public func moment(at step: Int? = nil) async throws -> SessionMoment {
        try await moment(at: step, inputCount: nil)
    }

    /// Throws as ``moment(at:)``.
    func moment(of receipt: Receipt) async throws -> SessionMoment {
        do {
            var moment = try await moment(at: receipt.step, inputCount: receipt.inputCount)
            // An input drops the steps that were undone before it.
            if receipt.inputCount > 0 { moment.stepCount = receipt.step }
            moment.screen.version = receipt.screen
            return moment
        } catch var error as StoreError where error.code == .noSuchStep {
            error.message =
                "the request was done and led to step \(receipt.step), "
                + "which cannot be shown any more"
            error.help = "look at the session: sent again under another key, it would be done twice"
            throw error
        }
    }

    /// - Parameter inputCount: The number of last inputs whose outputs are returned; by default the
    ///   step's own input, if it is known.
    private func moment(at step: Int?, inputCount: Int?) async throws -> SessionMoment {
        guard let step else { return try await call(.nothing()) }
        let found = Returned<SessionMoment>()
        do {
            let now = try await call { session, place in
                try place.validate(step)
                let inputCount = inputCount ?? (step > place.first ? 1 : 0)
                if inputCount > 0 { try place.validate(step - inputCount) }
                guard step - inputCount >= place.base else {
                    throw EarlierStep(inputCount: inputCount)
                }
                found.value = try session.moment(
                    at: step - place.base, inputCount: inputCount)
            }
            guard var moment = found.value else { return now }
            moment.step = step
            moment.stepCount = now.stepCount
            moment.version = now.version
            moment.screen = now.screen
            return moment
        } catch let earlier as EarlierStep {
            return try await earlierMoment(at: step, inputCount: earlier.inputCount)
        }
    }

    /// The results of some steps, played in a copy from a snapshot while the session continues.
    ///
    /// ```swift
    /// let titles = try await session.moments(1...10).map { $0.rendering["title"] }
    /// ```
    ///
    /// - Important: All their renderings are in memory at the same time.
    /// - Parameter steps: The steps, from 1.
    /// - Throws: A ``StoreError`` with the code `no_such_step` if a step does not exist or was
    ///   compacted away; a `FlowError` if the current flow cannot play them.
    public func moments(_ steps: ClosedRange<Int>) async throws -> [SessionMoment] {
        let contents = try await store.load(
            id, reaching: steps.lowerBound - 1, through: steps.upperBound)
        let base = contents.snapshot.step
        let steps = (steps.lowerBound - base)...(steps.upperBound - base)
        return try await aside(contents) { try await $0.moments(steps) }.map { moment in
            placed(moment, at: base + moment.step, of: contents.summary)
        }
    }

    /// A moment before the steps in memory, played in a copy from an earlier snapshot.
    private func earlierMoment(at step: Int, inputCount: Int) async throws -> SessionMoment {
        let contents = try await store.load(id, reaching: step - inputCount, through: step)
        let found = try await aside(contents) { session in
            try await session.moment(
                at: step - contents.snapshot.step, inputCount: inputCount)
        }
        return placed(found, at: step, of: contents.summary)
    }

    private func placed(
        _ moment: SessionMoment, at step: Int, of summary: SessionSummary
    ) -> SessionMoment {
        var moment = moment
        moment.step = step
        moment.stepCount = summary.stepCount
        moment.version = summary.version
        moment.screen = SessionScreen(version: summary.screen, code: live?.screen.code)
        return moment
    }

    /// Plays stored contents, in another flow if given, in a copy whose workers do nothing.
    func aside<Result: Sendable>(
        _ contents: SessionContents, in other: FlowSource? = nil,
        _ body: (FlowSession) async throws -> Result
    ) async throws -> Result {
        var options = options
        options.runsWorkers = false
        options.journal = nil
        options.onInput = nil
        if other != nil { options.flowName = contents.summary.flow }
        let session = try await FlowSession.open(
            other ?? source, options: options, restoring: snapshot(of: contents),
            replaying: contents.inputs)
        do {
            try await session.borrowProcess()
            defer { session.giveBackProcess() }
            let result = try await body(session)
            await session.close()
            return result
        } catch {
            await session.close()
            throw error
        }
    }
}

struct EarlierStep: Error {
    /// The number of last inputs whose outputs are wanted.
    var inputCount = 0
}

extension SessionPlace {
    /// Checks that the session has one of the expected tags, if there are any. Throws `other_step`.
    func require(_ expected: [String]?) throws(StoreError) {
        guard let expected, !expected.contains("\(step).\(screen)") else { return }
        throw .otherStep(step)
    }

    func validate(_ step: Int) throws(StoreError) {
        guard !(first...stepCount).contains(step) else { return }
        let reason =
            step < first
            ? step < 0 ? StoreError.nothingToUndo : StoreError.droppedStep
            : step == self.step + 1 ? StoreError.nothingToRedo : StoreError.noStep
        throw reason(step, first, stepCount)
    }
}

extension FlowSession {
    /// A moment of the session's own timeline, with the outputs of its last inputs.
    fileprivate func moment(at step: Int, inputCount: Int) throws(FlowError) -> SessionMoment {
        // The cache of viewed steps can be as large as the session.
        defer { past.forgetLooks() }
        var moment = SessionMoment(
            step: step, stepCount: stepCount, version: 0, screen: SessionScreen(version: 0),
            rendering: .null,
            actionTypes: actionTypes)
        guard inputCount > 0 else {
            moment.rendering = try past.look(at: step).rendering
            return moment
        }
        try past.transitions((step - inputCount + 1)...step) { _, _, played in
            moment.rendering = played.rendering
            moment.outputs += played.outputs
            moment.failure = played.failure
            return true
        }
        return moment
    }

    fileprivate func moments(_ steps: ClosedRange<Int>) throws(FlowError) -> [SessionMoment] {
        defer { past.forgetLooks() }
        var moments: [SessionMoment] = []
        try past.transitions(steps) { _, _, played in
            moments.append(
                SessionMoment(
                    step: steps.lowerBound + moments.count, stepCount: stepCount, version: 0,
                    screen: SessionScreen(version: 0), rendering: played.rendering,
                    actionTypes: actionTypes,
                    outputs: played.outputs, failure: played.failure))
            return true
        }
        return moments
    }
}
