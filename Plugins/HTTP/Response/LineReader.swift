import WorkerKit

/// Splits arriving bytes into lines, which end in CR, LF or both.
struct LineReader: Sendable {
    /// The maximum size of a line in bytes.
    let maximum: Int
    private var line: [UInt8] = []
    /// True if the last byte was a CR, which an LF may complete.
    private var isAfterReturn = false

    init(maximum: Int) { self.maximum = maximum }

    /// The lines that are complete now. Throws `too_large`.
    mutating func lines(adding bytes: [UInt8]) throws(WorkerError) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for byte in bytes {
            let isSecond = isAfterReturn && byte == 0x0A
            isAfterReturn = byte == 0x0D
            if isSecond { continue }
            if byte == 0x0A || byte == 0x0D {
                lines.append(line)
                line.removeAll()
                continue
            }
            guard line.count < maximum else { throw .tooLarge("a line", maximum) }
            line.append(byte)
        }
        return lines
    }

    /// The bytes after the last line break; nil if there are none.
    var rest: [UInt8]? { line.isEmpty ? nil : line }
}
