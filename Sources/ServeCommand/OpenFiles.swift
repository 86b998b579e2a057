import LibC

/// The limit of open files, including connections.
enum OpenFiles {
    /// Raises the limit as far as possible; the default is too low for a server.
    static func allowMost() {
        var limit = rlimit()
        #if os(Linux)
            let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let files = RLIMIT_NOFILE
        #endif
        guard getrlimit(files, &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, 1 << 20)
        setrlimit(files, &limit)
    }
}
