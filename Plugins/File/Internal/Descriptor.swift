import LibC

/// An open file or folder, closed when the last reference is released.
final class Descriptor: Sendable {
    let number: Int32

    /// Takes ownership of a descriptor that the system gave, or throws the error that it set.
    init(_ number: Int32) throws(Failure) {
        guard number >= 0 else { throw Failure(errno) }
        self.number = number
    }

    deinit { close(number) }

    func status() throws(Failure) -> FileStatus {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw Failure(errno) }
        return FileStatus(status)
    }
}

/// An error number of the system.
struct Failure: Error {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    /// The file at a path is not the one that was checked.
    static let changed = Failure(ELOOP)
}
