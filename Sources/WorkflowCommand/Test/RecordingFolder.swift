#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The folder that the sessions of failed tests are recorded in.
struct RecordingFolder {
    let path: String?
    private let isTemporary: Bool

    /// The folder at a path, by default a new temporary one that only the user can read.
    init(_ path: String?) {
        if let path {
            self.path = path
            isTemporary = false
            return
        }
        let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(temporary)/workflow-run-test-XXXXXX".utf8CString)
        self.path = mkdtemp(&template).map { String(cString: $0) }
        isTemporary = true
    }

    /// Removes a temporary folder in which nothing was recorded.
    func removeIfEmpty() {
        if isTemporary, let path { rmdir(path) }
    }
}
