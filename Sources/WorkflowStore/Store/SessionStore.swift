/// Keeps sessions: of each its snapshots, and the inputs between and after them.
///
/// Several processes may use one store. Each session has a version that rises with every change; whoever changes it says
/// which version was seen last, so of two that advance one session at the same time the second is refused. A store
/// says nothing before it is true: when a call returns, its change is kept as durably as the store promises.
public protocol SessionStore: Sendable {
    /// Keeps a new session.
    ///
    /// - Throws: A ``StoreError``; one with the code `exists` if there is a session of this id.
    func create(_ session: NewSession) async throws(StoreError) -> SessionSummary

    /// Adds to a session, all or nothing.
    ///
    /// - Parameters:
    ///   - change: What to add, and what to give up.
    ///   - id: The session.
    ///   - version: The version that the change goes out from.
    /// - Returns: The new version.
    /// - Throws: A ``StoreError``; one with the code `conflict` if the session has another version.
    func append(
        _ change: SessionChange, to id: String, expecting version: Int
    ) async throws(StoreError) -> Int

    /// What it takes to go on with a session.
    ///
    /// - Parameters:
    ///   - id: The session.
    ///   - step: The step that is to be reached; by default the one at which the session stands.
    /// - Returns: The last snapshot at or before the step, and all inputs after the snapshot.
    /// - Throws: A ``StoreError``; `not_found`, or `no_such_step` for a step that is not kept any more.
    func load(_ id: String, reaching step: Int?) async throws(StoreError) -> SessionContents

    /// A session in short.
    ///
    /// - Throws: A ``StoreError``; one with the code `not_found` if there is none.
    func summary(of id: String) async throws(StoreError) -> SessionSummary

    /// All sessions in short, the last changed first.
    func list() async throws(StoreError) -> [SessionSummary]

    /// Forgets a session.
    ///
    /// - Throws: A ``StoreError``; one with the code `not_found` if there is none.
    func delete(_ id: String) async throws(StoreError)

    /// Forgets the inputs and snapshots of a session that are older than its latest snapshot, and gives their space back.
    ///
    /// Steps before that snapshot cannot be gone back to any more.
    ///
    /// - Throws: A ``StoreError``; one with the code `not_found` if there is none.
    func compact(_ id: String) async throws(StoreError)
}

extension SessionStore {
    /// Compacts every session.
    public func compactAll() async throws(StoreError) {
        for session in try await list() { try await compact(session.id) }
    }
}
