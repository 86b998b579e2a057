import LibC

/// A pipe with which any thread wakes one that polls.
final class WakePipe: Sendable {
    let reader: Int32
    private let writer: Int32

    /// `nil` if the process has too many files open.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (reader, writer) = (ends[0], ends[1])
    }

    deinit {
        close(reader)
        close(writer)
    }

    /// A duplicate file descriptor, to be closed when one is needed; -1 if there is none.
    func makeSpare() -> Int32 { fcntl(reader, F_DUPFD_CLOEXEC, 0) }

    func wake() {
        var byte: UInt8 = 0
        // A full pipe wakes too.
        _ = write(writer, &byte, 1)
    }

    func drain() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reader, &bytes, bytes.count) > 0 {}
    }
}
