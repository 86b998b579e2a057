import LibC

/// Identifies a file, also when another file gets its name later.
struct FileIdentity: Equatable {
    private let numbers: [Int]

    init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        numbers = [
            Int(truncatingIfNeeded: status.st_dev), Int(truncatingIfNeeded: status.st_ino),
            Int(time.tv_sec), Int(time.tv_nsec),
        ]
    }
}

/// An `errno`, printed as its message.
struct SystemFailure: Error, CustomStringConvertible {
    let number: Int32

    var description: String { String(cString: strerror(number)) }
}
