import LibC

/// Tells a file from another that gets its name, and from itself after a change.
package struct FileStamp: Hashable, Sendable {
    private let device, node, size, seconds, nanoseconds: Int

    /// The stamp of the file at a path, or of the link there; `nil` if there is none.
    package init?(_ path: String, followsLinks: Bool = true) {
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        device = Int(truncatingIfNeeded: status.st_dev)
        node = Int(truncatingIfNeeded: status.st_ino)
        size = Int(status.st_size)
        (seconds, nanoseconds) = (Int(time.tv_sec), Int(time.tv_nsec))
    }
}
