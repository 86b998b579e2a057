import PlainValue
package import WorkflowKit

extension StoredSession {
    /// Goes back one step, and stores that.
    ///
    /// ```swift
    /// let moment = try await session.undo()
    /// print(moment.stepCount - moment.step)  // 1
    /// ```
    ///
    /// - Parameters:
    ///   - key: The key of the request; see ``request(_:expecting:_:)``.
    ///   - tags: The tags of which the session must have one; by default any.
    /// - Throws: A ``StoreError``: `no_such_step` at the beginning, or as the request.
    @discardableResult
    public func undo(
        key: RequestKey? = nil, expecting tags: [String]? = nil
    ) async throws -> SessionMoment {
        try await move(for: key?.of("undo"), expecting: tags) { step in step - 1 }
    }

    /// Goes forward one step again.
    ///
    /// ```swift
    /// let moment = try await session.undo()
    /// try await session.redo(expecting: [moment.tag])  // throws other_step after other requests
    /// ```
    ///
    /// - Parameters:
    ///   - key: The key of the request; see ``request(_:expecting:_:)``.
    ///   - tags: The tags of which the session must have one; by default any.
    /// - Throws: A ``StoreError``: `no_such_step` at the end, or as the request.
    @discardableResult
    public func redo(
        key: RequestKey? = nil, expecting tags: [String]? = nil
    ) async throws -> SessionMoment {
        try await move(for: key?.of("redo"), expecting: tags) { step in step + 1 }
    }

    /// Shows another step. Workers pause unless it is the last.
    ///
    /// A step that is not in memory is played from an earlier snapshot of the store.
    ///
    /// ```swift
    /// let first = try await session.go(to: 0)
    /// try await session.go(to: first.stepCount)  // and back to the last step
    /// ```
    ///
    /// - Warning: An action there drops the later steps.
    /// - Parameters:
    ///   - step: The step.
    ///   - key: The key of the request; see ``request(_:expecting:_:)``.
    ///   - tags: The tags of which the session must have one; by default any.
    /// - Throws: A ``StoreError`` with the code `no_such_step` if it does not exist or is
    ///   compacted; a `FlowError` if the current flow cannot reach it; or as the request.
    @discardableResult
    public func go(
        to step: Int, key: RequestKey? = nil, expecting tags: [String]? = nil
    ) async throws -> SessionMoment {
        try await move(for: key?.of("go", .int(step)), expecting: tags) { _ in step }
    }

    /// Shows another step if that is allowed.
    ///
    /// - Parameters:
    ///   - allow: Called in the session with the step to show; it throws if that is not allowed.
    ///   - target: Makes the step to show of the current one.
    /// - Throws: The error of `allow`, or as ``go(to:key:expecting:)``.
    package func move(
        for key: RequestKey?, expecting tags: [String]?,
        allow: @escaping @Sendable (isolated FlowSession, Int) throws -> Void = { _, _ in },
        to target: @escaping @Sendable (Int) -> Int
    ) async throws -> SessionMoment {
        let find: @Sendable (isolated FlowSession, SessionPlace) throws -> Int = { session, place in
            try place.require(tags)
            let step = target(place.step)
            try allow(session, step)
            try place.validate(step)
            return step
        }
        do {
            return try await call(for: key, isLast: true) { session, place in
                let step = try find(session, place)
                guard step >= place.base else { throw EarlierStep() }
                try session.go(to: step - place.base)
            }
        } catch is EarlierStep {
            return try await exclusively {
                // Workers may have caused effects that are not stored yet.
                let found = Returned<Int>()
                try await catchUp(
                    try await loaded(),
                    SessionCall(nil, isLast: true) { found.value = try find($0, $1) })
                return try await load(showing: found.value, for: key)
            }
        }
    }
}
