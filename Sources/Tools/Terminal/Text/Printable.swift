/// Untrusted text with its control and formatting characters escaped, which a terminal would obey.
package func printable(_ text: String) -> String {
    guard
        text.unicodeScalars.contains(where: {
            $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || isFormatting($0)
        })
    else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\t": result += "    "
        case "\n": result += "\\n"
        case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value),
            _ where isFormatting(scalar):
            result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}

/// Invisible characters that reorder text, with which one text can look like another.
private func isFormatting(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
}
