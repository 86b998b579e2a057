import LibC

extension FlowOptions {
    /// The system's time, in milliseconds since 1970.
    @Sendable public static func wallClock() -> Int {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int(now.tv_sec) * 1000 + Int(now.tv_nsec) / 1_000_000
    }
}
