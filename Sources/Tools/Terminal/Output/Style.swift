/// The condition for coloured text.
package enum ColorChoice: String, CaseIterable, Sendable {
    case auto, always, never
}

/// The style of a stream's text: coloured or plain.
package struct Style: Sendable {
    package let isColored: Bool

    /// The style for a stream. `auto` follows the terminal, `NO_COLOR` and `TERM`.
    package init(_ choice: ColorChoice, for stream: OutputStream) {
        switch choice {
        case .always: isColored = true
        case .never: isColored = false
        case .auto:
            isColored =
                stream.isTerminal && environmentVariable("NO_COLOR") == nil && LineEditor.canEdit
        }
    }

    package init(isColored: Bool) { self.isColored = isColored }

    package func bold(_ text: String) -> String { wrapped(text, "1") }
    package func dim(_ text: String) -> String { wrapped(text, "2") }
    package func red(_ text: String) -> String { wrapped(text, "1;31") }
    package func yellow(_ text: String) -> String { wrapped(text, "33") }
    package func cyan(_ text: String) -> String { wrapped(text, "36") }
    package func green(_ text: String) -> String { wrapped(text, "32") }

    private func wrapped(_ text: String, _ code: String) -> String {
        isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

/// A stream and the style of its text.
package struct OutputStyle: Sendable {
    package let stream: OutputStream
    package let style: Style

    package init(stream: OutputStream, choice: ColorChoice) {
        self.stream = stream
        style = Style(choice, for: stream)
    }
}
