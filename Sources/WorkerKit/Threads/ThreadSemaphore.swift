import LibC

/// Blocks threads until others signal; each signal wakes one thread, now or when it comes to wait.
///
/// `@unchecked Sendable` because the count is touched only while the lock is held.
package final class ThreadSemaphore: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var signals = 0

    package init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Wakes one thread, now or when it comes to wait.
    package func signal() {
        pthread_mutex_lock(mutex)
        signals += 1
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Blocks the thread until there is a signal.
    package func wait() {
        pthread_mutex_lock(mutex)
        while signals == 0 { pthread_cond_wait(condition, mutex) }
        signals -= 1
        pthread_mutex_unlock(mutex)
    }

    /// Blocks the thread until there is a signal or the seconds have passed.
    ///
    /// - Returns: Whether there was a signal.
    package func wait(seconds: Int) -> Bool {
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        deadline.tv_sec += seconds
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while signals == 0 {
            if pthread_cond_timedwait(condition, mutex, &deadline) != 0, signals == 0 {
                return false
            }
        }
        signals -= 1
        return true
    }
}
