import WorkflowKit

extension StoredSession {
    /// Goes back one step, and stores that.
    ///
    /// - Parameters:
    ///   - key: The key of the request; see ``request(_:expecting:_:)``.
    ///   - tags: The tags of which the session must have one; by default any.
    /// - Throws: A ``StoreError`` with the code `no_such_step` at the beginning, or as ``request(_:expecting:_:)``.
    @discardableResult
    public func undo(
        key: RequestKey? = nil, expecting tags: [String]? = nil
    ) async throws -> SessionMoment {
        try await move(key, expecting: tags) { step in step - 1 }
    }

    /// Goes forward one step again.
    ///
    /// - Parameters:
    ///   - key: The key of the request; see ``request(_:expecting:_:)``.
    ///   - tags: The tags of which the session must have one; by default any.
    /// - Throws: A ``StoreError`` with the code `no_such_step` at the end, or as ``request(_:expecting:_:)``.
    @discardableResult
    public func redo(
        key: RequestKey? = nil, expecting tags: [String]? = nil
    ) async throws -> SessionMoment {
        try await move(key, expecting: tags) { step in step + 1 }
    }

    /// Shows another step. Workers are paused unless it is the last one. An action sent there drops the later steps.
    ///
    /// A step that is not in memory is played from an earlier snapshot of the store.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - key: The key of the request; see ``request(_:expecting:_:)``.
    ///   - tags: The tags of which the session must have one; by default any.
    /// - Throws: A ``StoreError`` with the code `no_such_step` if the step does not exist or was compacted away; a
    ///   `FlowError` if the current flow cannot reach it; or as ``request(_:expecting:_:)``.
    @discardableResult
    public func go(
        to step: Int, key: RequestKey? = nil, expecting tags: [String]? = nil
    ) async throws -> SessionMoment {
        try await move(key, expecting: tags) { _ in step }
    }

    private func move(
        _ key: RequestKey?, expecting tags: [String]?,
        to target: @escaping @Sendable (Int) -> Int
    ) async throws -> SessionMoment {
        do {
            return try await call(for: key, isLast: true) { session, place in
                try place.require(tags)
                let step = target(place.step)
                try place.validate(step)
                guard step >= place.base else { throw EarlierStep() }
                try session.go(to: step - place.base)
            }
        } catch is EarlierStep {
            return try await exclusively {
                // Workers may have caused effects that are not stored yet.
                let live = try await loaded()
                let now = try await catchUp(live)
                let place = SessionPlace(
                    base: 0, first: live.first, step: now.step, stepCount: now.stepCount,
                    screen: live.screen)
                try place.require(tags)
                let step = target(now.step)
                try place.validate(step)
                return try await load(showing: step, for: key)
            }
        }
    }
}
