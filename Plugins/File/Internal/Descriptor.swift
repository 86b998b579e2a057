import LibC

/// An open file or folder, closed with the last reference to it.
final class Descriptor: Sendable {
    let number: Int32

    /// Takes a descriptor over; nil if it is none.
    init?(_ number: Int32) {
        guard number >= 0 else { return nil }
        self.number = number
    }

    deinit { close(number) }

    /// What stands open here.
    func status() throws(Failure) -> FileStatus {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw Failure(errno) }
        return FileStatus(status)
    }
}

/// The number of an error of the system.
struct Failure: Error {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    /// That something else stands at a path than when it was checked.
    static let changed = Failure(ELOOP)
}
