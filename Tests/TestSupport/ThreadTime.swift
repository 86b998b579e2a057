import LibC

/// The processor time that `body` takes on the calling thread.
public func threadTime(_ body: () throws -> Void) rethrows -> Duration {
    func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
    let start = now()
    try body()
    return now() - start
}

// Scripts/sanitize sets SANITIZED: frames are larger then, and uninterruptible work takes longer.
#if SANITIZED
    /// Whether the tests are built with a sanitizer.
    public let isSanitized = true
#else
    /// Whether the tests are built with a sanitizer.
    public let isSanitized = false
#endif

/// The factor by which work may take longer with a sanitizer.
public let slowness = isSanitized ? 8 : 1
