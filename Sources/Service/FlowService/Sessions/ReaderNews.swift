import Synchronization
import WorkflowKit
import WorkflowStore

/// Tells readers what is new in their sessions. If a flow decides who may follow a session, it is
/// asked before each rendering that is sent.
///
/// The cost is bounded. A flow is asked once per principal, however many streams that one has. One
/// call asks for a few principals, and other requests of the session run between two calls. What is
/// stored while the flow is being asked is told together, with one rendering.
final class ReaderNews: Sendable {
    /// Asks which principals may follow a session, and for which version of it.
    typealias Ask =
        @Sendable (_ id: String, _ principals: [Principal]) async throws -> (
            verdicts: [Principal: Bool], version: Int
        )

    /// The number of principals that one call asks for.
    static let principalsAtATime = 32

    private let readers: SessionReaders
    /// The news of sessions whose flow has to be asked, or is being asked.
    private let waiting = Mutex<[String: [SessionNews]]>([:])
    private let (sessions, begin) = AsyncStream<String>.makeStream()

    init(to readers: SessionReaders) { self.readers = readers }

    /// Tells the readers of a session now, or when its flow has been asked.
    func add(_ news: SessionNews, of id: String) {
        guard news.asksForAccess else { return readers.tell([news], of: id) }
        let isFirst = waiting.withLock { waiting in
            if waiting[id] != nil {
                waiting[id]?.append(news)
                return false
            }
            // Whoever begins to read now gets the present state by other means.
            guard readers.areThere(of: id) else { return false }
            waiting[id] = [news]
            return true
        }
        if isFirst { begin.yield(id) }
    }

    /// Asks flows and tells readers until its task is cancelled.
    func run(_ ask: @escaping Ask) async {
        await withDiscardingTaskGroup { group in
            for await id in sessions { group.addTask { await self.tell(id, ask) } }
        }
    }

    private func tell(_ id: String, _ ask: Ask) async {
        while isWaiting(id) {
            do {
                let (verdicts, version) = try await verdicts(on: id, ask)
                readers.tell(take(of: id, through: version), of: id, verdicts)
            } catch {
                // Without an answer nothing may be sent. Readers come back, and it is asked again.
                readers.close(id, "lost")
                _ = take(of: id, through: .max)
            }
        }
    }

    /// Asks about all principals that follow a session, also those that come meanwhile.
    private func verdicts(
        on id: String, _ ask: Ask
    ) async throws -> (verdicts: [Principal: Bool], version: Int) {
        var verdicts: [Principal: Bool] = [:]
        var version = Int.max
        while true {
            let unknown = Array(readers.principals(of: id).subtracting(verdicts.keys))
            if unknown.isEmpty { return (verdicts, version) }
            for start in stride(from: 0, to: unknown.count, by: Self.principalsAtATime) {
                let answer = try await ask(
                    id, Array(unknown[start...].prefix(Self.principalsAtATime)))
                verdicts.merge(answer.verdicts) { $1 }
                // Each verdict holds for its own version, so all of them hold for the earliest.
                version = min(version, answer.version)
            }
        }
    }

    /// True if there is news. Otherwise the next news begins a new list.
    private func isWaiting(_ id: String) -> Bool {
        waiting.withLock { waiting in
            guard waiting[id]?.isEmpty ?? true else { return true }
            waiting[id] = nil
            return false
        }
    }

    /// The news up to a version, which is that of a state that the verdicts hold for.
    private func take(of id: String, through version: Int) -> [SessionNews] {
        waiting.withLock { waiting in
            let all = waiting[id] ?? []
            assert(!all.isEmpty, "two tasks tell of one session")
            // The first is always older than the answer, also if a new session has the id since.
            let count = max(1, all.prefix { $0.moment.version <= version }.count)
            waiting[id] = Array(all.dropFirst(count))
            return Array(all.prefix(count))
        }
    }
}
