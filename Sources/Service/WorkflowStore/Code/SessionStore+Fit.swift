import PlainValue
public import WorkflowKit
public import WorkflowLua

extension SessionStore {
    /// Checks the effect of other files on a session: opens it with them, and plays all stored
    /// inputs with them and with the session's last files.
    ///
    /// No worker runs, and the store is only read.
    ///
    /// ```swift
    /// let fit = try await store.fit(
    ///     of: "groceries", to: .file("new/todo.lua"), options: FlowOptions())
    /// if case .differs(let differences) = fit { print(differences[0].step) }
    /// ```
    ///
    /// - Important: It takes twice the time of the inputs.
    /// - Parameters:
    ///   - id: The session.
    ///   - source: The flow with the other files.
    ///   - options: The settings for opening the session.
    /// - Throws: A ``StoreError`` if the session cannot be read.
    public func fit(
        of id: String, to source: FlowSource, options: FlowOptions
    ) async throws(StoreError) -> SessionFit {
        var options = options
        options.runsWorkers = false
        options.journal = nil
        options.onInput = nil
        let now = try await load(id)
        do {
            // As in use: with other files, from the state that its own files have made.
            let session = StoredSession(
                id, of: source, in: self, options: options, storage: StoredSessionOptions(),
                onEvent: { _ in })
            let snapshot = try await session.settled(now) ?? now.snapshot
            options.keepsTimeline = false
            // Undone inputs that the session rejects are dropped, and nothing else.
            let inputs = now.inputs.dropFirst(snapshot.step - now.snapshot.step)
                .prefix(now.summary.step - snapshot.step)
            try await FlowSession.open(
                source, options: options, restoring: FlowSnapshot(document: snapshot.document),
                replaying: Array(inputs)
            ).close()
        } catch let error as FlowError {
            return .refused(error)
        } catch let error as StoreError {
            throw error
        } catch {
            // Nothing else is thrown.
            return .unknown
        }
        guard let hash = now.summary.code, let kept = try await code(hash) else { return .unknown }
        // The beginning may be older than the stored files.
        options.takesChangedFiles = true
        let beginnings = [try await load(id, reaching: now.summary.firstStep), now]
        for contents in beginnings {
            do throws(FlowError) {
                return try await contents.fit(kept.source(), source, options)
            } catch {
                if error.code == .noProcess { return .refused(error) }
                continue
            }
        }
        return .unknown
    }
}

extension SessionContents {
    /// Compares the results of two sources. Throws the `FlowError` of one that cannot start.
    fileprivate func fit(
        _ kept: FlowSource, _ new: FlowSource, _ options: FlowOptions
    ) async throws(FlowError) -> SessionFit {
        let document = try FlowSnapshot(document: snapshot.document)
        let before = try await FlowSession.open(kept, options: options, restoring: document)
        let after: FlowSession
        do throws(FlowError) {
            after = try await FlowSession.open(new, options: options, restoring: document)
        } catch {
            await before.close()
            throw error
        }
        var differences = InputOutcome.differences(
            from: await before.outcome, to: await after.outcome, at: snapshot.step, nil)
        do throws(FlowError) {
            for (index, input) in inputs.enumerated() where differences.isEmpty {
                differences = InputOutcome.differences(
                    from: try await before.played(input), to: try await after.played(input),
                    at: snapshot.step + index + 1, input)
            }
        } catch {
            await before.close()
            await after.close()
            throw error
        }
        await before.close()
        await after.close()
        return differences.isEmpty ? .same : .differs(differences)
    }
}

private struct InputOutcome: Sendable {
    let rendering: Value
    var outputs: [Value] = []
    var failure: FlowError?

    /// True if it failed for a reason that is not a property of the flow.
    private var isCut: Bool { failure?.code.isCut ?? false }

    static func differences(
        from old: InputOutcome, to new: InputOutcome, at step: Int, _ input: FlowInput?
    ) -> [ReplayDifference] {
        guard !old.isCut, !new.isCut else { return [] }
        var contents: [ReplayDifference.Content] = []
        if old.failure?.code != new.failure?.code || old.failure?.message != new.failure?.message {
            contents.append(.error(recorded: old.failure?.message, now: new.failure?.message))
        }
        if old.outputs != new.outputs {
            contents.append(.outputs(recorded: old.outputs, now: new.outputs))
        }
        if old.rendering != new.rendering {
            contents.append(.rendering(recorded: old.rendering, now: new.rendering))
        }
        return contents.map { ReplayDifference(step: step, input: input, content: $0) }
    }
}

extension FlowSession {
    fileprivate var outcome: InputOutcome { InputOutcome(rendering: rendering) }

    /// Plays an input once scripts may run. Throws if that takes too long.
    fileprivate nonisolated func played(
        _ input: FlowInput
    ) async throws(FlowError) -> InputOutcome {
        try await borrowProcess()
        defer { giveBackProcess() }
        return await outcome(of: input)
    }

    private func outcome(of input: FlowInput) -> InputOutcome {
        _ = takeOutputs()
        var failure: FlowError?
        do throws(FlowError) { try play(input) } catch { failure = error }
        return InputOutcome(rendering: rendering, outputs: takeOutputs(), failure: failure)
    }
}

/// The effect of other files on a stored session.
public enum SessionFit: Sendable {
    /// All stored inputs give the same results.
    case same
    /// A step differs; these are the differences of the first such step.
    case differs([ReplayDifference])
    /// The session cannot be opened.
    case refused(FlowError)
    /// The session can be opened, but its own files are not stored or no longer work.
    case unknown
}
