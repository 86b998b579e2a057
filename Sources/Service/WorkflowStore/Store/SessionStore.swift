/// Stores sessions as snapshots and the inputs between and after them.
///
/// Several processes may use one store. Each session has a version that increases with every
/// change. A change names the version that it is based on, so of two changes at the same time the
/// second is refused. When a call returns, its change is as durable as promised.
///
/// Each call can throw a ``StoreError`` for the store itself: `io`, `busy`, `full`, `corrupted`, or
/// `unknown` after a lost connection. The codes of a single call stand beside it.
///
/// - Important: After an error that is no refusal the change may be stored; see
///   ``StoreError/isRefusal``.
public protocol SessionStore: Sendable {
    /// Stores a new session.
    ///
    /// - Throws: A ``StoreError``: `exists` if the id is taken, `bad_id`, `bad_key`, or
    ///   `not_storable`.
    func create(_ session: NewSession) async throws(StoreError) -> SessionSummary

    /// Stores a copy of a session up to a step, which becomes its current step.
    ///
    /// - Throws: A ``StoreError``: `not_found`, `exists`, `bad_id`, `bad_key`, or `no_such_step`
    ///   for one that is gone.
    func fork(_ id: String, to fork: SessionFork) async throws(StoreError) -> SessionSummary

    /// Appends a change to a session, all or nothing.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - id: The session.
    ///   - version: The version that the change is based on.
    /// - Returns: The new version.
    /// - Throws: A ``StoreError``: `conflict` for another version or a known receipt, `not_found`,
    ///   or `not_storable`.
    func append(
        _ change: SessionChange, to id: String, expecting version: Int
    ) async throws(StoreError) -> Int

    /// Loads a session.
    ///
    /// - Parameters:
    ///   - id: The session.
    ///   - step: The step to reach; `nil` for the current one.
    ///   - last: The last step to load; `nil` for the session's last.
    /// - Returns: The last snapshot at or before the step, and the inputs after it.
    /// - Throws: A ``StoreError``: `not_found`, or `no_such_step` if the step is no longer stored.
    func load(
        _ id: String, reaching step: Int?, through last: Int?
    ) async throws(StoreError) -> SessionContents

    /// The summary of a session.
    ///
    /// - Throws: A ``StoreError``; one with the code `not_found` if there is none.
    func summary(of id: String) async throws(StoreError) -> SessionSummary

    /// The receipts of a session with some keys, in any order.
    ///
    /// A receipt is kept for at least 24 hours.
    ///
    /// - Returns: The receipts; none if there is no such session.
    /// - Throws: A ``StoreError``; one with the code `not_found` if no session can have the id.
    func receipts(_ keys: [String], of id: String) async throws(StoreError) -> [Receipt]

    /// The last step that no change since a version has dropped.
    ///
    /// - Returns: The step; `nil` if no step was dropped or there is no such session.
    /// - Throws: A ``StoreError``; one with the code `not_found` if no session can have the id.
    func keptStep(of id: String, since version: Int) async throws(StoreError) -> Int?

    /// A page of summaries, newest first.
    ///
    /// - Parameters:
    ///   - flow: The flow; `nil` for all flows.
    ///   - after: The `next` of the previous page; `nil` for the first page.
    ///   - limit: The maximum number of sessions on the page.
    /// - Throws: A ``StoreError``, with the code `bad_page` if `after` is invalid.
    func list(
        flow: String?, after: String?, limit: Int
    ) async throws(StoreError) -> SessionPage

    /// The wake-ups of sleeping sessions, in any order; see ``SessionChange/wakeAt``.
    ///
    /// - Throws: A ``StoreError`` for the store itself.
    func wakeUps() async throws(StoreError) -> [WakeUp]

    /// The ids of sessions by number, without those that do not exist.
    ///
    /// - Throws: A ``StoreError`` for the store itself.
    func ids(of numbers: [Int]) async throws(StoreError) -> [Int: String]

    /// The files with a hash; `nil` if they are not stored.
    ///
    /// - Throws: A ``StoreError`` for the store itself.
    func code(_ hash: String) async throws(StoreError) -> FlowCode?

    /// Deletes a session.
    ///
    /// - Throws: A ``StoreError``; one with the code `not_found` if there is none.
    func delete(_ id: String) async throws(StoreError)

    /// Deletes all before the latest snapshot of a session, and frees the space.
    ///
    /// The earlier steps can no longer be reached.
    ///
    /// - Throws: A ``StoreError``; one with the code `not_found` if there is none.
    func compact(_ id: String) async throws(StoreError)
}

extension SessionStore {
    /// Loads a session; see ``load(_:reaching:through:)``.
    ///
    /// ```swift
    /// let contents = try await store.load("groceries", reaching: 5)
    /// print(contents.snapshot.step)  // 5 or less; the inputs lead on from there
    /// ```
    ///
    /// - Throws: As ``load(_:reaching:through:)``.
    public func load(
        _ id: String, reaching step: Int? = nil
    ) async throws(StoreError) -> SessionContents {
        try await load(id, reaching: step, through: nil)
    }

    /// The receipt with a key; `nil` if the key is unknown.
    ///
    /// ```swift
    /// let isPaid = try await store.receipt("pay-17", of: "order") != nil
    /// ```
    ///
    /// - Throws: As ``receipts(_:of:)``.
    public func receipt(_ key: String, of id: String) async throws(StoreError) -> Receipt? {
        try await receipts([key], of: id).first
    }

    /// The first page of summaries; ``list(flow:after:limit:)`` has those after it.
    ///
    /// ```swift
    /// for session in try await store.list(flow: "todo", limit: 10).sessions {
    ///     print(session.id, session.stepCount)
    /// }
    /// ```
    ///
    /// - Throws: A ``StoreError`` for the store itself.
    public func list(
        flow: String? = nil, limit: Int = 100
    ) async throws(StoreError) -> SessionPage {
        try await list(flow: flow, after: nil, limit: limit)
    }
}
