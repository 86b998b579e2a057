import ArgumentParser

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// When text is coloured.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    case auto, always, never
}

/// How a stream's text is styled: in colour or not at all.
struct Style: Sendable {
    let isColored: Bool

    /// The style for a stream: by default coloured on a terminal, unless `NO_COLOR` is set or the terminal is dumb.
    init(_ choice: ColorChoice, for stream: OutputStream) {
        switch choice {
        case .always: isColored = true
        case .never: isColored = false
        case .auto:
            isColored =
                stream.isTerminal && (Self.variable("NO_COLOR") ?? "").isEmpty
                && Self.variable("TERM") != "dumb"
        }
    }

    init(isColored: Bool) { self.isColored = isColored }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    func bold(_ text: String) -> String { wrapped(text, "1") }
    func dim(_ text: String) -> String { wrapped(text, "2") }
    func red(_ text: String) -> String { wrapped(text, "1;31") }
    func yellow(_ text: String) -> String { wrapped(text, "33") }
    func cyan(_ text: String) -> String { wrapped(text, "36") }
    func green(_ text: String) -> String { wrapped(text, "32") }

    private func wrapped(_ text: String, _ code: String) -> String {
        isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

/// Text made by a script or a file, with nothing in it that a terminal would obey.
func printable(_ text: String) -> String {
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

/// Marks that turn the direction of text around, with which a text can look like another.
private func isFormatting(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
}
