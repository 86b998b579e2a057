import HTTPServing
import Synchronization

/// Limits the request rate of each principal. Each has a bucket that fills with time, and each
/// request takes from it.
final class RateLimits: Sendable {
    private struct Bucket {
        var tokens: Double
        var time: ContinuousClock.Instant
    }

    /// Above this number of buckets, full ones are removed, since they are equal to new ones.
    private static let many = 4096

    private struct State {
        var buckets: [String: Bucket] = [:]
        var many = RateLimits.many
    }

    private let state = Mutex(State())
    private let rate: Double
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameter rate: The requests per second, which is also the burst.
    init(rate: Int, now: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.rate = Double(max(rate, 1))
        self.now = now
    }

    var count: Int { state.withLock(\.buckets.count) }

    /// - Throws: A ``Problem`` with the time to wait if there were too many.
    func take(_ name: String) throws(Problem) {
        let now = now()
        let missing = state.withLock { state -> Double? in
            var bucket = state.buckets[name] ?? Bucket(tokens: rate, time: now)
            bucket.tokens = tokens(in: bucket, at: now)
            bucket.time = now
            defer {
                state.buckets[name] = bucket
                if state.buckets.count > state.many { forgetFull(&state, now) }
            }
            guard bucket.tokens >= 1 else { return 1 - bucket.tokens }
            bucket.tokens -= 1
            return nil
        }
        guard let missing else { return }
        throw Problem(
            .tooManyRequests, "rate", "Too many requests",
            detail: "At most \(Int(rate)) a second are taken of one who asks.",
            retryAfter: max(Int((missing / rate).rounded(.up)), 1))
    }

    private func tokens(in bucket: Bucket, at now: ContinuousClock.Instant) -> Double {
        min(rate, bucket.tokens + (now - bucket.time) / .seconds(1) * rate)
    }

    private func forgetFull(_ state: inout State, _ now: ContinuousClock.Instant) {
        state.buckets = state.buckets.filter { tokens(in: $1, at: now) < rate }
        // This avoids a search at each request if no bucket is full.
        state.many = max(Self.many, state.buckets.count * 2)
    }
}
