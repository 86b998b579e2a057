/// The spelling of text in Lua source, in which no part of it acts on a terminal.
package enum LuaText {
    private static let reserved: Set<String> = [
        "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if",
        "in", "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
    ]

    package static func isName(_ text: String) -> Bool {
        var isFirst = true
        for byte in text.utf8 {
            guard isNameByte(byte, first: isFirst) else { return false }
            isFirst = false
        }
        return !isFirst && !reserved.contains(text)
    }

    static func isNameByte(_ byte: UInt8, first: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "_"):
            true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): !first
        default: false
        }
    }

    static func isPlain(_ byte: UInt8) -> Bool {
        (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    static let asciiEscapes = (0..<0x80).map { Array(escaped(Unicode.Scalar(UInt8($0))).utf8) }

    /// Text between double quotes, with all that is not plainly visible escaped.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars { quoted += escaped(scalar) }
        return quoted + "\""
    }

    /// A scalar itself, or its escape if it is a quote, a backslash or not visible.
    static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": return "\\\""
        case "\\": return "\\\\"
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        case " "..."~": return String(scalar)
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
            .unassigned:
            return "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        default:
            return String(scalar)
        }
    }
}
