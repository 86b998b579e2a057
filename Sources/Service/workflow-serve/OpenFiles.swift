import LibC

/// The limit of open files, including connections.
enum OpenFiles {
    /// Raises the limit as far as possible, and returns it; the default is too low for a server.
    static func allowMost() -> Int {
        var limit = rlimit()
        #if canImport(Glibc)
            let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let files = RLIMIT_NOFILE
        #endif
        guard getrlimit(files, &limit) == 0 else { return .max }
        limit.rlim_cur = min(limit.rlim_max, 1 << 20)
        setrlimit(files, &limit)
        getrlimit(files, &limit)
        return Int(clamping: limit.rlim_cur)
    }

    /// The connections of a limit of open files. The store, the log and workers need the rest.
    static func connections(ofFiles files: Int) -> Int { files - max(files / 4, 64) }
}
