import LibC

/// How many files, connections among them, the process may have open.
enum OpenFiles {
    /// Has the system allow as many as it may: what it allows by itself is for programs of other kinds.
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
