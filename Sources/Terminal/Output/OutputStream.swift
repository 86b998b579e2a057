import LibC

/// Standard output or standard error, written at once and whole.
package struct OutputStream: Sendable {
    package static let standardOutput = OutputStream(file: STDOUT_FILENO)
    package static let standardError = OutputStream(file: STDERR_FILENO)

    private let file: Int32

    package init(file: Int32) { self.file = file }

    /// True if a person reads it.
    package var isTerminal: Bool { isatty(file) == 1 }

    /// Writes all of `text`; the failure that kept it from that, if any.
    @discardableResult
    package func write(_ text: String) -> OutputFailure? {
        var text = text
        return text.withUTF8 { bytes in
            var rest = UnsafeBufferPointer(rebasing: bytes[...])
            while let start = rest.baseAddress, !rest.isEmpty {
                let count = systemWrite(file, start, rest.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    return errno == EPIPE ? .readerGone : .unwritable(errno)
                }
                rest = UnsafeBufferPointer(rebasing: rest[count...])
            }
            return nil
        }
    }

    /// Lets a write to a closed pipe fail instead of ending the process.
    package static func ignoreClosedPipes() {
        signal(SIGPIPE, SIG_IGN)
        // A file that may grow no more is an error as a full disk is.
        signal(SIGXFSZ, SIG_IGN)
    }
}

/// The reason why nothing more can be written to a stream.
package enum OutputFailure: Error {
    /// The pipe is closed: nobody wants to know any more.
    case readerGone
    /// The system refused, with this error number.
    case unwritable(Int32)

    /// The message about it; `nil` where the program ends quietly.
    package var message: String? {
        guard case .unwritable(let number) = self else { return nil }
        return "standard output cannot be written: \(String(cString: strerror(number)))"
    }
}

/// The system's `write`, which the stream's own would hide.
private func systemWrite(_ file: Int32, _ start: UnsafePointer<UInt8>, _ count: Int) -> Int {
    write(file, start, count)
}
