public import WorkflowKit

extension StoredSession {
    /// Creates a session and stores it.
    ///
    /// ```swift
    /// let session = try await StoredSession.create(of: .file("todo.lua"), in: store)
    /// print(session.id)  // 2p4ft9wnc1x3v
    /// ```
    ///
    /// - Parameters:
    ///   - id: The id; by default a random text.
    ///   - source: The flow.
    ///   - store: The store.
    ///   - options: Props, limits, plugins and others. A journal ends with a reload.
    ///   - storage: The settings for storing the session.
    ///   - key: The key of the request. A session that it has created is resumed.
    ///   - onEvent: Called with each event after its effects are stored. When the session is loaded
    ///     again, the events start with `ready` again.
    /// - Throws: A `FlowError` if the flow cannot start; a ``StoreError``: `exists` for a taken id.
    public static func create(
        _ id: String? = nil, of source: FlowSource, in store: any SessionStore,
        options: FlowOptions = FlowOptions(),
        storage: StoredSessionOptions = StoredSessionOptions(), key: RequestKey? = nil,
        onEvent: @escaping @Sendable (FlowEvent) -> Void = { _ in }
    ) async throws -> StoredSession {
        try key?.validate()
        let session = StoredSession(
            id ?? String(UInt64.random(in: 0...UInt64.max), radix: 36), of: source, in: store,
            options: options, storage: storage, onEvent: onEvent)
        try await session.beginOnce(for: key?.of("create", options.props))
        return session
    }

    /// Resumes it if the same request created it before. `allow` may throw before it is stored.
    func beginOnce(for key: RequestKey?, allow: SessionCheck? = nil) async throws {
        do {
            try await exclusively { try await begin(for: key, allow: allow) }
        } catch let error as StoreError where error.code == .exists {
            try await store.validate(key, hasBegun: id)
            try await resume()
        }
    }

    /// Resumes a session from its latest snapshot and the inputs after it.
    ///
    /// Workers that were running start again.
    ///
    /// ```swift
    /// let session = try await StoredSession.resume("groceries", of: .file("todo.lua"), in: store)
    /// print(await session.step)  // that which it had, in whatever process
    /// ```
    ///
    /// - Parameters:
    ///   - id: The id of a stored session.
    ///   - source: The flow with which the session was created, or a later version of it.
    ///   - store: The store that has the session.
    ///   - options: Limits, plugins and others. The props are those of the session.
    ///   - storage: The settings for storing the session.
    ///   - onEvent: Called with each event after its effects are stored.
    /// - Throws: A ``StoreError``, with the code `not_found` if there is no such session, or a
    ///   `FlowError`, with the code `snapshot` if the flow has changed since.
    public static func resume(
        _ id: String, of source: FlowSource, in store: any SessionStore,
        options: FlowOptions = FlowOptions(),
        storage: StoredSessionOptions = StoredSessionOptions(),
        onEvent: @escaping @Sendable (FlowEvent) -> Void = { _ in }
    ) async throws -> StoredSession {
        let session = StoredSession(
            id, of: source, in: store, options: options, storage: storage, onEvent: onEvent)
        try await session.resume()
        return session
    }

    /// Resumes a session, or creates it if there is none.
    ///
    /// ```swift
    /// let options = FlowOptions(props: ["user": "ada"])  // if it is created
    /// let session = try await StoredSession.open(
    ///     "groceries", of: .file("todo.lua"), in: store, options: options)
    /// ```
    ///
    /// - Parameters:
    ///   - id: The id: 1 to 200 bytes of text without control characters.
    ///   - source: The flow.
    ///   - store: The store that has or gets the session.
    ///   - options: Props, for a session that is created, limits, plugins and others.
    ///   - storage: The settings for storing the session.
    ///   - onEvent: Called with each event after its effects are stored.
    /// - Throws: As ``create(_:of:in:options:storage:key:onEvent:)`` and
    ///   ``resume(_:of:in:options:storage:onEvent:)``.
    public static func open(
        _ id: String, of source: FlowSource, in store: any SessionStore,
        options: FlowOptions = FlowOptions(),
        storage: StoredSessionOptions = StoredSessionOptions(),
        onEvent: @escaping @Sendable (FlowEvent) -> Void = { _ in }
    ) async throws -> StoredSession {
        let session = StoredSession(
            id, of: source, in: store, options: options, storage: storage, onEvent: onEvent)
        if let contents = try await store.contents(of: id) {
            try await session.resume(from: contents)
        } else {
            try await session.beginUnlessBegun()
        }
        return session
    }

    /// Loads the session for the first time. Until then its workers' effects wait: two changes of
    /// one version are a conflict.
    func resume(from contents: SessionContents? = nil) async throws {
        try await exclusively { _ = try await load(contents) }
    }

    func beginUnlessBegun() async throws {
        do {
            try await exclusively { try await begin() }
        } catch let error as StoreError where error.code == .exists {
            // Another process created the session first.
            try await resume()
        }
    }
}

/// Throws if a session may not be used for something.
package typealias SessionCheck = @Sendable (isolated FlowSession) throws -> Void

extension SessionStore {
    /// The contents of a session; `nil` if there is none.
    func contents(of id: String) async throws(StoreError) -> SessionContents? {
        do throws(StoreError) { return try await load(id) } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }
}
