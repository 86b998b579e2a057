public import WorkflowKit

extension StoredSession {
    /// Begins a session and keeps it.
    ///
    /// - Parameters:
    ///   - id: What it is called; by default a random text.
    ///   - source: The flow.
    ///   - store: Where it is kept.
    ///   - options: Props, limits, plugins and the like. A journal records until the session is loaded again.
    ///   - settings: How it is kept.
    ///   - key: The request that asks for it. If the session was begun for it before, the session goes on.
    ///   - onEvent: Called with each event when what it tells is kept. After the session was loaded again the events begin
    ///     anew with `ready`.
    /// - Throws: A `FlowError` that keeps the flow from beginning, or a ``StoreError``, with the code `exists` if there is a
    ///   session of this id.
    public static func create(
        _ id: String? = nil, of source: FlowSource, in store: any SessionStore,
        options: FlowOptions = FlowOptions(),
        settings: StoredSessionOptions = StoredSessionOptions(), key: RequestKey? = nil,
        onEvent: @escaping @Sendable (FlowEvent) -> Void = { _ in }
    ) async throws -> StoredSession {
        try key?.validate()
        let session = StoredSession(
            id ?? String(UInt64.random(in: 0...UInt64.max), radix: 36), of: source, in: store,
            options: options, settings: settings, onEvent: onEvent)
        try await session.beginOnce(for: key)
        return session
    }

    /// Begins the session, or goes on with it if it was begun for the same request before.
    func beginOnce(for key: RequestKey?) async throws {
        do {
            try await exclusively { try await begin(for: key) }
        } catch let error as StoreError where error.code == .exists {
            try await store.validate(key, hasBegun: id)
            try await resume()
        }
    }

    /// Goes on with a session: from its latest snapshot, by the inputs since.
    ///
    /// Workers that were at work start again. The props are those of the session; see ``create(_:of:in:options:settings:key:onEvent:)``
    /// for the rest.
    ///
    /// - Throws: A ``StoreError``, with the code `not_found` if there is no such session, or a `FlowError`, with the code
    ///   `snapshot` if the flow has changed since.
    public static func resume(
        _ id: String, of source: FlowSource, in store: any SessionStore,
        options: FlowOptions = FlowOptions(),
        settings: StoredSessionOptions = StoredSessionOptions(),
        onEvent: @escaping @Sendable (FlowEvent) -> Void = { _ in }
    ) async throws -> StoredSession {
        let session = StoredSession(
            id, of: source, in: store, options: options, settings: settings, onEvent: onEvent)
        try await session.resume()
        return session
    }

    /// Goes on with a session, or begins it if there is none.
    ///
    /// - Throws: As ``create(_:of:in:options:settings:key:onEvent:)`` and ``resume(_:of:in:options:settings:onEvent:)``.
    public static func open(
        _ id: String, of source: FlowSource, in store: any SessionStore,
        options: FlowOptions = FlowOptions(),
        settings: StoredSessionOptions = StoredSessionOptions(),
        onEvent: @escaping @Sendable (FlowEvent) -> Void = { _ in }
    ) async throws -> StoredSession {
        let session = StoredSession(
            id, of: source, in: store, options: options, settings: settings, onEvent: onEvent)
        if let contents = try await store.contents(of: id) {
            try await session.resume(from: contents)
        } else {
            try await session.beginUnlessBegun()
        }
        return session
    }

    /// Loads the session for the first time.
    ///
    /// What its workers say at once waits until then: two changes from one version would be a conflict.
    ///
    /// - Parameter contents: What the store has; by default it is asked.
    func resume(from contents: SessionContents? = nil) async throws {
        try await exclusively { _ = try await load(contents) }
    }

    func beginUnlessBegun() async throws {
        do {
            try await exclusively { try await begin() }
        } catch let error as StoreError where error.code == .exists {
            // Somebody else was faster.
            try await resume()
        }
    }
}

extension SessionStore {
    /// What it takes to go on with a session; `nil` if there is none.
    func contents(of id: String) async throws(StoreError) -> SessionContents? {
        do throws(StoreError) { return try await load(id) } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }
}
