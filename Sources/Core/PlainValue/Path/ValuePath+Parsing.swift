extension ValuePath {
    /// Parses the form that ``description`` writes: `rows[3]["unit price"].net`.
    ///
    /// A quoted key may have the escapes `\"`, `\\`, `\n`, `\r`, `\t` and `\u{…}`. An empty text is
    /// the path of the value itself.
    ///
    /// ```swift
    /// _ = try ValuePath(parsing: "rows[0]")  // throws column 6: positions count from 1
    /// ```
    ///
    /// - Throws: A ``ValuePathError`` with the column of the fault.
    public init(parsing text: String) throws(ValuePathError) {
        var parser = ValuePathParser(text)
        self.init(try parser.parse())
    }
}

extension ValuePath {
    /// Parses a path whose keys stand unquoted, such as `rows[1].größe`; `nil` if it is none.
    package init?(reading text: String) {
        self.init()
        for part in text.split(separator: ".", omittingEmptySubsequences: false) {
            let key = part.prefix { $0 != "[" }
            let rest = part.dropFirst(key.count)
            guard !part.isEmpty, let inside = try? ValuePath(parsing: String(rest)) else {
                return nil
            }
            if !key.isEmpty { append(.key(String(key))) }
            self = appending(inside)
        }
    }
}

private struct ValuePathParser {
    private let scalars: [Unicode.Scalar]
    private var position = 0

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    mutating func parse() throws(ValuePathError) -> [ValuePath.Component] {
        var components: [ValuePath.Component] = []
        while let scalar = peek() {
            switch scalar {
            case "[":
                position += 1
                components.append(try parseBracket())
                try expect("]")
            case "." where !components.isEmpty:
                position += 1
                components.append(.key(try parseName()))
            case _ where components.isEmpty:
                components.append(.key(try parseName()))
            default:
                throw expected("'.' or '['")
            }
        }
        return components
    }

    private mutating func parseName() throws(ValuePathError) -> String {
        var name = ""
        while let scalar = peek(), let byte = UInt8(exactly: scalar.value),
            LuaText.isNameByte(byte, first: name.isEmpty)
        {
            name.unicodeScalars.append(scalar)
            position += 1
        }
        if name.isEmpty { throw expected("a name") }
        return name
    }

    private mutating func parseBracket() throws(ValuePathError) -> ValuePath.Component {
        if peek() == "\"" {
            position += 1
            return .key(try parseQuotedKey())
        }
        let start = position
        var digits = ""
        while let scalar = peek(), ("0"..."9").contains(scalar) {
            digits.unicodeScalars.append(scalar)
            position += 1
        }
        if digits.isEmpty { throw expected("a position or a key in double quotes") }
        guard let index = Int(natural: digits) else {
            throw ValuePathError(code: .positionTooLarge, column: start + 1)
        }
        guard index > 0 else { throw ValuePathError(code: .positionZero, column: start + 1) }
        return .index(index)
    }

    private mutating func parseQuotedKey() throws(ValuePathError) -> String {
        var key = ""
        while let scalar = peek(), scalar != "\"" {
            position += 1
            key.unicodeScalars.append(scalar == "\\" ? try parseEscape() : scalar)
        }
        try expect("\"")
        return key
    }

    private mutating func parseEscape() throws(ValuePathError) -> Unicode.Scalar {
        let escape = peek()
        position += 1
        switch escape {
        case "\"", "\\": return escape ?? "\\"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u":
            try expect("{")
            let start = position
            var digits = ""
            while let scalar = peek(), scalar != "}" {
                digits.unicodeScalars.append(scalar)
                position += 1
            }
            guard let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number) else {
                position = start
                throw expected("the number of a Unicode scalar in hexadecimal digits")
            }
            try expect("}")
            return scalar
        default:
            position -= 1
            throw expected("an escape such as \\n or \\u{41}")
        }
    }

    private func peek() -> Unicode.Scalar? {
        position < scalars.count ? scalars[position] : nil
    }

    private mutating func expect(_ scalar: Unicode.Scalar) throws(ValuePathError) {
        guard peek() == scalar else { throw expected(scalar == "\"" ? "'\"'" : "'\(scalar)'") }
        position += 1
    }

    private func expected(_ what: String) -> ValuePathError {
        ValuePathError(code: .expected(what), column: position + 1)
    }
}
