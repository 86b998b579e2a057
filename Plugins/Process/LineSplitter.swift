/// Splits bytes into lines of text, and long lines into pieces.
struct LineSplitter {
    struct Line: Equatable {
        var text: String
        /// True if the line continues with the next one.
        var continues: Bool
    }

    /// The maximum number of bytes of a piece.
    let limit: Int
    private var pending: [UInt8] = []

    init(limit: Int) { self.limit = limit }

    /// The lines that these bytes complete.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> [Line] {
        var lines: [Line] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            append(rest[..<end], to: &lines)
            if pending.last == UInt8(ascii: "\r") { pending.removeLast() }
            lines.append(finishLine())
            rest = rest[(end + 1)...]
        }
        append(rest, to: &lines)
        return lines
    }

    /// The last line if it has no line end.
    mutating func finish() -> Line? { pending.isEmpty ? nil : finishLine() }

    private mutating func append(_ bytes: Slice<UnsafeRawBufferPointer>, to lines: inout [Line]) {
        pending += bytes
        var start = 0
        while pending.count - start > limit {
            let end = characterBoundary(atMost: start + limit)
            lines.append(Line(text: text(pending[start..<end]), continues: true))
            start = end
        }
        pending.removeFirst(start)
    }

    private mutating func finishLine() -> Line {
        defer { pending.removeAll(keepingCapacity: true) }
        return Line(text: text(pending[...]), continues: false)
    }

    /// The place to cut without splitting a character; in invalid UTF-8, `end` itself.
    private func characterBoundary(atMost end: Int) -> Int {
        (end - 3...end).last { pending[$0] & 0xC0 != 0x80 } ?? end
    }

    private func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
