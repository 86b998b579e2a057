import LibC

/// Reads lines of a file, standard input unless another is given.
///
/// The lines are bytes, so that text that is no UTF-8 is noticed and not repaired.
package struct LineReader {
    private static let chunk = 64 << 10

    private let file: Int32
    private var buffer: [UInt8] = []
    /// The start of the first line that was not given out yet.
    private var start = 0
    private var hasEnded = false

    package init(file: Int32 = STDIN_FILENO) { self.file = file }

    /// The next line without its end; `nil` at the end of the input.
    ///
    /// - Parameter takesRest: Whether what stands behind the last end of a line is a line too.
    package mutating func next(takingRest takesRest: Bool = true) -> [UInt8]? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) {
                defer { start = end + 1 }
                return Array(buffer[start..<end])
            }
            searched = buffer.count
            if hasEnded {
                guard takesRest, start < buffer.count else { return nil }
                defer { start = buffer.count }
                return Array(buffer[start...])
            }
            searched -= start
            fill()
        }
    }

    /// All of the input that was not given out yet, as text; `nil` if it is no UTF-8.
    package mutating func rest() -> String? {
        while !hasEnded { fill() }
        return String(validating: buffer[start...], as: UTF8.self)
    }

    /// Reads one chunk more. An input that cannot be read has ended.
    private mutating func fill() {
        buffer.removeFirst(start)
        start = 0
        let count = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: Self.chunk))
        let added = buffer.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map { read(file, $0 + count, Self.chunk) } ?? 0
        }
        hasEnded = added == 0 || (added < 0 && errno != EINTR)
        buffer.removeLast(Self.chunk - max(0, added))
    }
}
