import LibC

/// Starts a thread that belongs to nobody and ends with `body`; false if there is no room for it.
package func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    #if canImport(Glibc)
        var thread = pthread_t()
    #else
        var thread: pthread_t?
    #endif
    // The thread takes over this reference.
    let owned = Unmanaged.passRetained(ThreadBody(run: body))
    guard pthread_create(&thread, nil, { runThread($0) }, owned.toOpaque()) == 0 else {
        owned.release()
        return false
    }
    #if canImport(Glibc)
        pthread_detach(thread)
    #else
        _ = thread.map { pthread_detach($0) }
    #endif
    return true
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runThread(_ body: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let body else { return nil }
    Unmanaged<ThreadBody>.fromOpaque(body).takeRetainedValue().run()
    return nil
}
