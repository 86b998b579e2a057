import PlainValue
import WorkflowLua

/// The sums at the end of the lines of a recording.
extension TextSum {
    private static let start = Array(#","sum":""#.utf8)
    private static let end = Array(#""}"#.utf8)
    private static let width = start.count + 16 + end.count

    /// The line of a record, with its sum as the last field and a line feed.
    static func line(of record: Value) -> [UInt8] {
        var line = Array(record.json.utf8)
        let sum = digits(of: line)
        line.removeLast()
        return line + start + Array(sum.utf8) + end + [UInt8(ascii: "\n")]
    }

    static func isIn(_ line: some StringProtocol) -> Bool {
        let tail = Array(line.utf8.suffix(width))
        return tail.count == width && tail.starts(with: start) && tail.hasSuffix(end)
    }

    /// True if a line matches its sum, and for a line without a sum.
    static func holds(_ line: some StringProtocol) -> Bool {
        guard isIn(line) else { return true }
        let bytes = Array(line.utf8)
        let sum = bytes.suffix(width).dropFirst(start.count).prefix(16)
        return digits(of: bytes.dropLast(width) + [UInt8(ascii: "}")]).utf8.elementsEqual(sum)
    }
}

extension [UInt8] {
    fileprivate func hasSuffix(_ other: [UInt8]) -> Bool {
        suffix(other.count).elementsEqual(other)
    }
}
