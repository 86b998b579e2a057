import LibC

/// The processor time of a thread, which another thread can read too.
package struct ThreadClock: Sendable {
    private let clock: clockid_t

    /// The clock of the calling thread, which must not have ended when it is read.
    package init() {
        #if os(Linux)
            var clock = CLOCK_THREAD_CPUTIME_ID
            pthread_getcpuclockid(pthread_self(), &clock)
            self.clock = clock
        #else
            clock = CLOCK_THREAD_CPUTIME_ID
        #endif
    }

    package var now: Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}

package func threadTime(_ body: () throws -> Void) rethrows -> Duration {
    let clock = ThreadClock()
    let start = clock.now
    try body()
    return clock.now - start
}

// Scripts/sanitize sets SANITIZED: frames are larger then, and uninterruptible work takes longer.
#if SANITIZED
    /// True if the tests are built with a sanitizer.
    package let isSanitized = true
#else
    package let isSanitized = false
#endif

/// The factor by which work may take longer with a sanitizer.
package let slowness = isSanitized ? 8 : 1
