#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Standard output or standard error, written at once and whole.
struct OutputStream: Sendable {
    static let standardOutput = OutputStream(file: STDOUT_FILENO)
    static let standardError = OutputStream(file: STDERR_FILENO)

    private let file: Int32

    /// Whether a person reads it.
    var isTerminal: Bool { isatty(file) == 1 }

    /// Writes all of `text`; `false` if nobody reads any more.
    func write(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var rest = UnsafeBufferPointer(rebasing: bytes[...])
            while let start = rest.baseAddress, !rest.isEmpty {
                let count = systemWrite(file, start, rest.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    return false
                }
                rest = UnsafeBufferPointer(rebasing: rest[count...])
            }
            return true
        }
    }

    /// Lets a write to a closed pipe fail instead of ending the process.
    static func ignoreClosedPipes() {
        signal(SIGPIPE, SIG_IGN)
    }
}

/// The system's `write`, which the stream's own would hide.
private func systemWrite(_ file: Int32, _ start: UnsafePointer<UInt8>, _ count: Int) -> Int {
    write(file, start, count)
}
