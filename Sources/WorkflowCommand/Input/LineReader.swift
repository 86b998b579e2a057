#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Reads standard input, byte by byte what was sent: text that is no UTF-8 is told, not repaired.
struct LineReader {
    private static let chunk = 64 << 10

    private var buffer: [UInt8] = []
    /// Where the first line begins that was not given out yet.
    private var start = 0
    private var hasEnded = false

    /// The next line without its end; `nil` at the end of the input.
    mutating func next() -> [UInt8]? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) {
                defer { start = end + 1 }
                return Array(buffer[start..<end])
            }
            searched = buffer.count
            if hasEnded {
                guard start < buffer.count else { return nil }
                defer { start = buffer.count }
                return Array(buffer[start...])
            }
            searched -= start
            fill()
        }
    }

    /// All of the input that was not given out yet, as text; `nil` if it is no UTF-8.
    mutating func rest() -> String? {
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
            bytes.baseAddress.map { read(STDIN_FILENO, $0 + count, Self.chunk) } ?? 0
        }
        hasEnded = added == 0 || (added < 0 && errno != EINTR)
        buffer.removeLast(Self.chunk - max(0, added))
    }
}
