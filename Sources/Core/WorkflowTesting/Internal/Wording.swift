import CustomDump

/// A value in one line, for lists of steps.
func brief(_ value: Any) -> String {
    var text = ""
    customDump(value, to: &text)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
    guard lines.count > 1 else { return text }
    return lines.map { line in line.drop { $0 == " " } }.joined(separator: " ")
}

func difference<Value>(expected: Value, actual: Value) -> String {
    let text = diff(expected, actual) ?? "- \(brief(expected))\n+ \(brief(actual))"
    return indented(text) + "\n\n(expected: -, actual: +)"
}

func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { "  " + $0 }.joined(separator: "\n")
}
