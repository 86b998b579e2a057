/// The clock of the host that loaded a plugin, for one run.
struct HostClock: Clock {
    /// The time since the run began.
    struct Instant: InstantProtocol {
        let elapsed: Duration

        func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }
        func duration(to other: Instant) -> Duration { other.elapsed - elapsed }
        static func < (a: Instant, b: Instant) -> Bool { a.elapsed < b.elapsed }
    }

    let run: ExportedRun

    var now: Instant {
        Instant(elapsed: .nanoseconds(max(run.host.now(run.id), 0)))
    }

    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await run.sleep(nanoseconds: now.duration(to: deadline).wholeNanoseconds)
    }
}

extension Duration {
    /// The nanoseconds, rounded up to whole ones, at least 0, and at most the largest `Int64`.
    package var wholeNanoseconds: Int64 {
        guard self > .zero else { return 0 }
        let (seconds, attoseconds) = components
        let (scaled, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isSumTooLong) = scaled.addingReportingOverflow(
            (attoseconds + 999_999_999) / 1_000_000_000)
        return isTooLong || isSumTooLong ? .max : sum
    }
}
