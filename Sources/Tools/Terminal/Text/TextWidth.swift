/// The number of columns that one line of text takes on a terminal.
package func displayWidth(_ text: some StringProtocol) -> Int {
    var width = 0
    for scalar in text.unicodeScalars { width += scalar.isASCII ? 1 : scalar.columns }
    return width
}

extension Unicode.Scalar {
    /// The blocks of characters that are two columns wide.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
        0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x17000...0x18CFF, 0x1B000...0x1B2FF,
        0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]

    fileprivate var columns: Int {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        if properties.isEmojiPresentation { return 2 }
        return value >= 0x1100 && Self.wide.contains { $0.contains(value) } ? 2 : 1
    }
}

extension String {
    /// A number with a noun: `1 step`, `2 steps`.
    package static func counted(_ count: Int, _ noun: String) -> String {
        count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
    }

    /// The text, padded with spaces on the right to a width.
    package func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - displayWidth(self)))
    }

    package func paddedLeft(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - displayWidth(self))) + self
    }

    /// The text, cut to a width with `…` at the end.
    package func cut(to width: Int) -> String {
        // A text never has more columns than bytes.
        if utf8.count <= width || displayWidth(self) <= width { return self }
        var result = ""
        var used = 1
        for character in self {
            used += displayWidth(String(character))
            if used > width { break }
            result.append(character)
        }
        return result + "…"
    }

    package var trimmedEnd: String {
        var end = endIndex
        while end > startIndex, self[index(before: end)] == " " { formIndex(before: &end) }
        return String(self[..<end])
    }
}

extension StringProtocol {
    package var trimmed: String {
        var end = endIndex
        while end > startIndex, self[index(before: end)].isWhitespace { formIndex(before: &end) }
        return String(self[..<end].drop { $0.isWhitespace })
    }
}
