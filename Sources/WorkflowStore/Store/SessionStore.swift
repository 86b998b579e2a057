/// Keeps sessions: of each its snapshots, and the inputs between and after them.
///
/// Several processes may use one store. Each session has a version that rises with every change; whoever changes it says
/// which version was seen last, so of two that advance one session at the same time the second is refused. A store
/// says nothing before it is true: when a call returns, its change is kept as durably as the store promises.
///
/// An error with the code `conflict`, `not_found`, `exists`, `bad_id`, `no_such_step` or `not_storable` says that nothing
/// was changed. After any other error a change may be kept all the same: whoever made it reads ``SessionSummary/change``.
public protocol SessionStore: Sendable {
    /// Keeps a new session.
    ///
    /// - Throws: A ``StoreError``; one with the code `exists` if there is a session of this id.
    func create(_ session: NewSession) async throws(StoreError) -> SessionSummary

    /// Keeps another session with the inputs and snapshots of a session up to a step, at which it stands.
    ///
    /// - Throws: A ``StoreError``; `not_found`, `exists`, or `no_such_step` for a step that is not kept any more.
    func fork(_ id: String, to fork: SessionFork) async throws(StoreError) -> SessionSummary

    /// Adds to a session, all or nothing.
    ///
    /// - Parameters:
    ///   - change: What to add, and what to give up.
    ///   - id: The session.
    ///   - version: The version that the change goes out from.
    /// - Returns: The new version.
    /// - Throws: A ``StoreError``; one with the code `conflict` if the session has another version, or if one of the keys
    ///   of the change's receipts is known already.
    func append(
        _ change: SessionChange, to id: String, expecting version: Int
    ) async throws(StoreError) -> Int

    /// What it takes to go on with a session.
    ///
    /// - Parameters:
    ///   - id: The session.
    ///   - step: The step that is to be reached; by default the one at which the session stands.
    ///   - last: The last step whose input is wanted; by default the last one that there is.
    /// - Returns: The last snapshot at or before the step, and the inputs after the snapshot.
    /// - Throws: A ``StoreError``; `not_found`, or `no_such_step` for a step that is not kept any more.
    func load(
        _ id: String, reaching step: Int?, through last: Int?
    ) async throws(StoreError) -> SessionContents

    /// A session in short.
    ///
    /// - Throws: A ``StoreError``; one with the code `not_found` if there is none.
    func summary(of id: String) async throws(StoreError) -> SessionSummary

    /// The receipts of a session that have one of these keys, in any order.
    ///
    /// A receipt is kept for 24 hours at least; an older one may be there or not.
    ///
    /// - Returns: The receipts; none if there is no such session.
    func receipts(_ keys: [String], of id: String) async throws(StoreError) -> [Receipt]

    /// The last step that all changes of a session since a version have kept.
    ///
    /// - Returns: The step; `nil` if none of them has given up a step, or if there is no such session.
    func keptStep(of id: String, since version: Int) async throws(StoreError) -> Int?

    /// A page of sessions in short, the newest first.
    ///
    /// - Parameters:
    ///   - flow: The flow whose sessions are wanted; by default all are.
    ///   - after: The `next` of the page before; by default the page is the first.
    ///   - limit: How many sessions a page has at most.
    /// - Throws: A ``StoreError``; one with the code `bad_page` if no page has ended in `after`.
    func list(
        flow: String?, after: String?, limit: Int
    ) async throws(StoreError) -> SessionPage

    /// When each session that sleeps is to be woken, in any order; see ``SessionChange/wakeAt``.
    func wakeUps() async throws(StoreError) -> [WakeUp]

    /// The ids of the sessions with some numbers, by these, without those that there are not, or not any more.
    func ids(of numbers: [Int]) async throws(StoreError) -> [Int: String]

    /// The files of flows that have a hash; `nil` if no session was ever kept with them.
    func code(_ hash: String) async throws(StoreError) -> FlowCode?

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
    /// What it takes to go on with a session; see ``load(_:reaching:through:)``.
    public func load(
        _ id: String, reaching step: Int? = nil
    ) async throws(StoreError) -> SessionContents {
        try await load(id, reaching: step, through: nil)
    }

    /// The receipt of a request; `nil` if its key is not known.
    public func receipt(_ key: String, of id: String) async throws(StoreError) -> Receipt? {
        try await receipts([key], of: id).first
    }

    /// The first page of sessions, the newest first; see ``list(flow:after:limit:)``.
    public func list(
        flow: String? = nil, limit: Int = 100
    ) async throws(StoreError) -> SessionPage {
        try await list(flow: flow, after: nil, limit: limit)
    }

    /// Compacts every session.
    public func compactAll() async throws(StoreError) {
        var after: String?
        repeat {
            let page = try await list(flow: nil, after: after, limit: 1000)
            for session in page.sessions { try await compact(session.id) }
            after = page.next
        } while after != nil
    }
}
