import WorkflowKit

extension StoredSession {
    /// Goes one step back; that is kept too.
    ///
    /// - Parameters:
    ///   - key: The request that asks for it; see ``request(_:expecting:_:)``.
    ///   - current: The step at which the session is to stand; by default any will do.
    /// - Throws: A ``StoreError`` with the code `no_such_step` at the beginning, or as ``request(_:expecting:_:)``.
    @discardableResult
    public func undo(
        key: RequestKey? = nil, expecting current: Int? = nil
    ) async throws -> SessionMoment {
        try await move(key, expecting: current) { step in step - 1 }
    }

    /// Goes one step forward again.
    ///
    /// - Parameters:
    ///   - key: The request that asks for it; see ``request(_:expecting:_:)``.
    ///   - current: The step at which the session is to stand; by default any will do.
    /// - Throws: A ``StoreError`` with the code `no_such_step` at the end, or as ``request(_:expecting:_:)``.
    @discardableResult
    public func redo(
        key: RequestKey? = nil, expecting current: Int? = nil
    ) async throws -> SessionMoment {
        try await move(key, expecting: current) { step in step + 1 }
    }

    /// Shows another step; workers are held while it is not the last one. An action that is sent gives up the later ones.
    ///
    /// A step that lies before what is in memory is made from an earlier snapshot of the store.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - key: The request that asks for it; see ``request(_:expecting:_:)``.
    ///   - current: The step at which the session is to stand; by default any will do.
    /// - Throws: A ``StoreError`` with the code `no_such_step` for a step that there is not, or that was compacted away; a
    ///   `FlowError` if it cannot be reached with the flow as it is now; or as ``request(_:expecting:_:)``.
    @discardableResult
    public func go(
        to step: Int, key: RequestKey? = nil, expecting current: Int? = nil
    ) async throws -> SessionMoment {
        try await move(key, expecting: current) { _ in step }
    }

    private func move(
        _ key: RequestKey?, expecting current: Int?,
        to target: @escaping @Sendable (Int) -> Int
    ) async throws -> SessionMoment {
        do {
            return try await call(for: key) { session, place in
                try place.require(current)
                let step = target(place.step)
                try place.validate(step)
                guard step >= place.base else { throw EarlierStep() }
                try session.go(to: step - place.base)
            }
        } catch is EarlierStep {
            return try await exclusively {
                // Workers may have sent something that is not kept yet.
                let live = try await loaded()
                let now = try await catchUp(live)
                let place = SessionPlace(
                    base: 0, first: live.first, step: now.step, stepCount: now.stepCount)
                try place.require(current)
                let step = target(now.step)
                try place.validate(step)
                return try await load(showing: step, for: key)
            }
        }
    }
}
