#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The processor time that `body` takes on the calling thread.
func threadTime(_ body: () throws -> Void) rethrows -> Duration {
    func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
    let start = now()
    try body()
    return now() - start
}

// Scripts/sanitize sets SANITIZED: frames are larger then, and what no limit interrupts takes longer.
#if SANITIZED
    let isSanitized = true
#else
    let isSanitized = false
#endif

let slowness = isSanitized ? 8 : 1
