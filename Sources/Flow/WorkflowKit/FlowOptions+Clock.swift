import LibC

extension FlowOptions {
    /// The system's time, in milliseconds since 1970.
    @Sendable public static func wallClock() -> Int {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int(now.tv_sec) * 1000 + Int(now.tv_nsec) / 1_000_000
    }

    /// A monotonic time in milliseconds, exact to a few of them, which takes nanoseconds to read.
    static func coarseClock() -> Int {
        #if canImport(Darwin)
            return Int(clock_gettime_nsec_np(CLOCK_UPTIME_RAW_APPROX) / 1_000_000)
        #else
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC_COARSE, &now)
            return Int(now.tv_sec) * 1000 + Int(now.tv_nsec) / 1_000_000
        #endif
    }
}
