/// Splits a client's bytes into lines.
struct RequestLines {
    enum Line: Equatable {
        case text(String)
        /// Not UTF-8.
        case garbled
        /// More bytes than a line may have.
        case tooLong
    }

    let longest: Int
    private var bytes: [UInt8] = []
    /// True while the rest of a too long line is skipped.
    private var isSkipping = false

    init(longest: Int) { self.longest = longest }

    /// Adds bytes and returns the lines that they complete, except empty ones.
    mutating func add(_ new: ArraySlice<UInt8>) -> [Line] {
        var lines: [Line] = []
        var rest = new
        while let end = rest.firstIndex(of: 0x0A) {
            if let line = append(rest[..<end]) ?? self.end() { lines.append(line) }
            isSkipping = false
            rest = rest[(end + 1)...]
        }
        if let line = append(rest) { lines.append(line) }
        return lines
    }

    /// The line so far, which ends here; `nil` if it is empty.
    mutating func end() -> Line? {
        assert(bytes.count <= longest && (!isSkipping || bytes.isEmpty))
        defer { bytes = [] }
        guard !bytes.isEmpty else { return nil }
        return String(validating: bytes, as: UTF8.self).map(Line.text) ?? .garbled
    }

    /// Adds a part of a line. Returns `tooLong` when the line gets too long.
    private mutating func append(_ part: ArraySlice<UInt8>) -> Line? {
        guard !isSkipping else { return nil }
        guard bytes.count + part.count <= longest else {
            bytes = []
            isSkipping = true
            return .tooLong
        }
        bytes += part
        return nil
    }
}
