public import PlainValue
public import WorkflowKit

extension StoredSession {
    /// Sends an action to the root, or to the node at `path`; it is kept when the call returns.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - path: The path of a node; by default the action is for the root.
    ///   - key: The request that asks for it; see ``request(_:expecting:_:)``.
    /// - Returns: The session right after the action.
    /// - Throws: The `FlowError` that made the action fail, or a ``StoreError``. Either way it is as if the action had
    ///   never come, unless the code is `unknown`.
    @discardableResult
    public func send(
        _ action: Value, to path: String? = nil, key: RequestKey? = nil
    ) async throws -> SessionMoment {
        try await request(key) { try $0.send(action, to: path) }
    }

    /// Sends a sink as it stands in a rendering, with fields added to its action.
    ///
    /// - Throws: As ``send(_:to:key:)``.
    @discardableResult
    public func send(
        sink: Value, with fields: Value.Record = [:], key: RequestKey? = nil
    ) async throws -> SessionMoment {
        try await request(key) { try $0.send(sink: sink, with: fields) }
    }

    /// Sends an action to the root that is a type of your own.
    ///
    /// - Throws: An `EncodingError`, or as ``send(_:to:key:)``.
    @discardableResult
    public func send(_ action: some FlowAction) async throws -> SessionMoment {
        try await send(try action.value)
    }

    /// Gives the root new props.
    ///
    /// - Throws: As ``send(_:to:key:)``.
    @discardableResult
    public func update(props: Value, key: RequestKey? = nil) async throws -> SessionMoment {
        try await request(key) { try $0.update(props: props) }
    }

    /// Plays an input as if it had come from outside now.
    ///
    /// - Throws: As ``send(_:to:key:)``.
    @discardableResult
    public func play(_ input: FlowInput.Kind) async throws -> SessionMoment {
        try await request { try $0.play(input) }
    }

    /// Loads the flow's files again and goes on with the new code, from a snapshot that is kept.
    ///
    /// The session cannot go back behind that snapshot, as after it was resumed with other files.
    ///
    /// - Throws: The `FlowError` that keeps the new code from loading or rendering, or a ``StoreError``.
    @discardableResult
    public func reload() async throws -> SessionMoment {
        try await call(SessionCall(nil, takesOver: true) { session, _ in try session.reload() })
    }

    /// Takes in what others have done to the session in the store meanwhile.
    ///
    /// - Returns: Whether it was changed.
    /// - Throws: A ``StoreError``, or the `FlowError` that keeps the session from being played; the next call tries again.
    @discardableResult
    public func refresh() async throws -> Bool {
        try await exclusively {
            let version = try await loaded().version
            guard try await store.summary(of: id).version != version else { return false }
            try await load()
            return true
        }
    }

    /// Waits until no worker is at work and all that they gave is kept; not while an earlier step holds the workers.
    ///
    /// - Throws: A ``StoreError`` if the session is closed or cannot be loaded.
    public func untilIdle() async throws {
        while try await perform({ $0.hasRunningWorkers && !$0.isInPast }) {
            await live?.session.untilIdle()
        }
    }
}
