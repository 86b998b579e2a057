import LibC

struct FileStatus: Equatable, Sendable {
    let kind: FileKind
    let size: Int
    let seconds: Int
    let nanoseconds: Int
    let device: UInt64
    let number: UInt64
    let permissions: mode_t
    let owner: uid_t
    let group: gid_t

    init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .file
        case S_IFDIR: kind = .folder
        case S_IFLNK: kind = .link
        default: kind = .other
        }
        size = Int(status.st_size)
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        seconds = time.tv_sec
        nanoseconds = time.tv_nsec
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(status.st_ino)
        permissions = status.st_mode & 0o777
        owner = status.st_uid
        group = status.st_gid
    }

    /// The time of the last change of the content, in seconds since 1970.
    var modified: Double { Double(seconds) + Double(nanoseconds) / 1e9 }

    /// True if both belong to one file, regardless of its name.
    func isSameFile(as other: FileStatus) -> Bool {
        device == other.device && number == other.number
    }
}
