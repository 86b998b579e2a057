import LibC

/// Reads the lines of a file, by default of standard input. A line is bytes, for callers to reject
/// invalid UTF-8. A first byte order mark is left out.
package struct LineReader {
    private static let chunk = 64 << 10

    private let file: Int32
    private var buffer: [UInt8] = []
    /// The start of the next line in the buffer.
    private var start = 0
    private var hasEnded = false
    private var hasBegun = false

    package init(file: Int32 = STDIN_FILENO) { self.file = file }

    /// The next line without its line end, or if `takesRest` an unterminated last one; else `nil`.
    package mutating func next(takingRest takesRest: Bool = true) -> [UInt8]? {
        begin()
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

    /// The remaining input as text; `nil` if it is not valid UTF-8.
    package mutating func rest() -> String? {
        begin()
        while !hasEnded { fill() }
        return String(validating: buffer[start...], as: UTF8.self)
    }

    /// Reads the first bytes, and leaves out a byte order mark. A mark may come in pieces.
    private mutating func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        repeat { fill() } while !hasEnded && buffer.count < mark.count && mark.starts(with: buffer)
        if buffer.starts(with: mark) { start = mark.count }
    }

    /// Reads another chunk. A read error ends the input.
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
