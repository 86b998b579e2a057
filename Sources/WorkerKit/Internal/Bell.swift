import LibC

/// Wakes one waiting thread for each time it rings; rings that nobody waits for are kept.
///
/// `@unchecked Sendable` because the count is touched only while the lock is held.
package final class Bell: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var rings = 0

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
    package func ring() {
        pthread_mutex_lock(mutex)
        rings += 1
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Blocks the thread until the bell rings.
    package func wait() {
        pthread_mutex_lock(mutex)
        while rings == 0 { pthread_cond_wait(condition, mutex) }
        rings -= 1
        pthread_mutex_unlock(mutex)
    }

    /// Blocks the thread until the bell rings or the seconds have passed; whether it rang.
    package func wait(seconds: Int) -> Bool {
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        deadline.tv_sec += seconds
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while rings == 0 {
            if pthread_cond_timedwait(condition, mutex, &deadline) != 0, rings == 0 { return false }
        }
        rings -= 1
        return true
    }
}
