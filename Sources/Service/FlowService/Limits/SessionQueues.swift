import HTTPServing
import PlainValue
import Synchronization

/// Limits the requests for a session at a time, running and waiting.
final class SessionQueues: Sendable {
    private let counts = Mutex<[Name: Int]>([:])
    private let most: Int

    init(most: Int) { self.most = max(most, 1) }

    func count(for id: String) -> Int { counts.withLock { $0[Name(id)] ?? 0 } }

    /// - Throws: A ``Problem`` if the session has too many requests, and the errors of `body`.
    func with<Result>(_ id: String, _ body: () async throws -> Result) async throws -> Result {
        try enter(id)
        defer { leave(id) }
        return try await body()
    }

    private func enter(_ id: String) throws(Problem) {
        let hasRoom = counts.withLock { counts in
            guard counts[Name(id), default: 0] < most else { return false }
            counts[Name(id), default: 0] += 1
            return true
        }
        guard hasRoom else {
            throw Problem(
                .serviceUnavailable, "busy", "Too many requests for the session",
                detail: "At most \(most) are taken at a time. Ask again.", retryAfter: 1)
        }
    }

    private func leave(_ id: String) {
        counts.withLock { counts in
            assert(counts[Name(id), default: 0] > 0)
            let left = counts[Name(id), default: 1] - 1
            counts[Name(id)] = left == 0 ? nil : left
        }
    }
}
