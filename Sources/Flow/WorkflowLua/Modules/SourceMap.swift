import PlainValue

/// A map from the lines of a generated file to those of its source, by ECMA-426 ("Source Map",
/// version 3), as compilers to Lua write it beside the file: `item.lua.map`.
struct SourceMap {
    static let mostBytes = 4 << 20

    private static let longestPath = 1024

    private struct Segment {
        var source = 0
        var line = 0
    }

    private let sources: [String]
    /// The first segment of each generated line; `nil` for a line without one.
    private let lines: [Segment?]

    /// - Returns: `nil` for bytes that are not such a map.
    init?(_ bytes: [UInt8]) {
        guard let map = try? Value(json: bytes, limits: .document), map["version"] == 3,
            let mappings = map["mappings"]?.string, let sources = map["sources"]?.list,
            let lines = Self.lines(of: mappings)
        else { return nil }
        let root = map["sourceRoot"]?.string ?? ""
        let start = root.isEmpty || root.hasSuffix("/") ? root : root + "/"
        self.sources = sources.map { source in
            let path = start + (source.string ?? "")
            return path.utf8.count <= Self.longestPath ? path : ""
        }
        self.lines = lines
    }

    /// The place in the source of a generated line, counted from 1.
    func place(ofLine line: Int) -> (source: String, line: Int)? {
        guard line > 0, let found = lines.prefix(line).last(where: { $0 != nil }), let found,
            sources.indices.contains(found.source), !sources[found.source].isEmpty,
            found.line >= 0
        else { return nil }
        return (sources[found.source], found.line + 1)
    }

    /// Reads lines that end in semicolons, of segments that end in commas, of relative numbers.
    private static func lines(of mappings: String) -> [Segment?]? {
        var lines: [Segment?] = [nil]
        var now = Segment()
        var number = Digits()
        /// The index of the number in its segment: column, source, line, column, name.
        var index = 0
        func end() -> Bool {
            // A segment of the column alone has no source.
            if index >= 3, lines[lines.count - 1] == nil { lines[lines.count - 1] = now }
            index = 0
            return number.isComplete
        }
        for byte in mappings.utf8 {
            switch byte {
            case UInt8(ascii: ","): guard end() else { return nil }
            case UInt8(ascii: ";"):
                guard end() else { return nil }
                lines.append(nil)
            default:
                guard number.add(byte) else { return nil }
                guard number.isComplete else { continue }
                let difference = number.take()
                if index == 1 { now.source += difference }
                if index == 2 { now.line += difference }
                index += 1
                // Only a hostile map has such numbers, and their sums could overflow.
                guard abs(now.source) < 1 << 40, abs(now.line) < 1 << 40 else { return nil }
            }
        }
        return end() ? lines : nil
    }

    /// The digits of a number in base 64, lowest first. Each has five bits and a flag for more
    /// digits. The lowest bit of the number is its sign.
    private struct Digits {
        private static let mostBits = 35

        private var value = 0
        private var shift = 0
        private(set) var isComplete = true

        /// - Returns: False if the byte is not a digit, or is a digit too many.
        mutating func add(_ byte: UInt8) -> Bool {
            let digit: Int
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = Int(byte) - 0x41
            case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = Int(byte) - 0x61 + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = Int(byte) - 0x30 + 52
            case UInt8(ascii: "+"): digit = 62
            case UInt8(ascii: "/"): digit = 63
            default: return false
            }
            guard shift < Self.mostBits else { return false }
            value |= (digit & 31) << shift
            shift += 5
            isComplete = digit & 32 == 0
            return true
        }

        mutating func take() -> Int {
            defer { (value, shift) = (0, 0) }
            return value & 1 == 0 ? value >> 1 : -(value >> 1)
        }
    }
}
