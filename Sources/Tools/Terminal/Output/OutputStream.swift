import LibC

/// Standard output or standard error, unbuffered.
package struct OutputStream: Sendable {
    package static let standardOutput = OutputStream(file: STDOUT_FILENO)
    package static let standardError = OutputStream(file: STDERR_FILENO)

    private let file: Int32

    package init(file: Int32) { self.file = file }

    package var isTerminal: Bool { isatty(file) == 1 }

    /// Writes all of `text`. Returns the failure if it cannot.
    @discardableResult
    package func write(_ text: String) -> OutputFailure? {
        var text = text
        return text.withUTF8 { bytes in
            var rest = UnsafeBufferPointer(rebasing: bytes[...])
            while let start = rest.baseAddress, !rest.isEmpty {
                let count = LibC.write(file, start, rest.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    return errno == EPIPE ? .readerGone : .unwritable(errno)
                }
                rest = UnsafeBufferPointer(rebasing: rest[count...])
            }
            return nil
        }
    }

    /// Makes a write to a closed pipe fail instead of ending the process.
    package static func ignoreClosedPipes() {
        signal(SIGPIPE, SIG_IGN)
        // A file that reached its size limit is an error like a full disk.
        signal(SIGXFSZ, SIG_IGN)
    }
}

package enum OutputFailure: Error {
    case readerGone
    /// The system's error number.
    case unwritable(Int32)

    /// The message for the user; `nil` if the program ends silently.
    package var message: String? {
        guard case .unwritable(let number) = self else { return nil }
        return "standard output cannot be written: \(String(cString: strerror(number)))"
    }
}
