import LibC

/// Blocks threads until others signal; each signal wakes one thread, now or when it comes to wait.
/// `@unchecked Sendable` because the count is touched only while the lock is held.
package final class ThreadSemaphore: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var signals = 0

    package init() {
        pthread_mutex_init(mutex, nil)
        #if canImport(Darwin)
            pthread_cond_init(condition, nil)
        #else
            // The time of day may be set while a thread waits.
            var attributes = pthread_condattr_t()
            pthread_condattr_init(&attributes)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            pthread_cond_init(condition, &attributes)
            pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    package func signal() {
        pthread_mutex_lock(mutex)
        signals += 1
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    package func wait() {
        pthread_mutex_lock(mutex)
        while signals == 0 { pthread_cond_wait(condition, mutex) }
        signals -= 1
        pthread_mutex_unlock(mutex)
    }

    /// Blocks until there is a signal (true), or a time, a day at most, has passed in which the
    /// machine was awake.
    package func wait(for duration: Duration) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let end = Self.uptime + min(duration, .seconds(86400))
        while signals == 0 {
            let left = end - Self.uptime
            guard left > .zero else { return false }
            wait(left)
        }
        signals -= 1
        return true
    }

    /// Waits once, with the lock held.
    private func wait(_ duration: Duration) {
        #if canImport(Darwin)
            var time = timespec(duration)
            pthread_cond_timedwait_relative_np(condition, mutex, &time)
        #else
            var time = timespec(Self.uptime + duration)
            pthread_cond_timedwait(condition, mutex, &time)
        #endif
    }

    private static var uptime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}

extension timespec {
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(tv_sec: time_t(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    }
}
