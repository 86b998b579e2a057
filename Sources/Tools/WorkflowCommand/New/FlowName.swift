/// The name of a new flow's folder and file and, in another spelling, of its table.
struct FlowName {
    /// The spelling for files, such as `shopping_list`.
    let text: String

    /// The reason for which a text is not such a name, with a similar valid name.
    struct Fault: Error {
        let message: String
        let suggestion: String?
    }

    init(_ text: String) throws(Fault) {
        let rule = "a name has lower-case letters, digits, '_' and '-', and begins with a letter"
        guard !text.isEmpty, text == Self.cleaned(text) else {
            let near = Self.cleaned(text)
            let isUsable = !near.isEmpty && (try? FlowName(near)) != nil
            throw Fault(
                message: "'\(text)' cannot be the name of a flow: \(rule)",
                suggestion: isUsable ? near : nil)
        }
        if text == "workflow" {
            throw Fault(
                message:
                    "'workflow' cannot be the name of a flow: require \"workflow\" is the host's",
                suggestion: "my_workflow")
        }
        if text.hasSuffix("_test") {
            throw Fault(
                message:
                    "'\(text)' cannot be the name of a flow: files that end with _test are tests",
                suggestion: Self.cleaned(String(text.dropLast(5))))
        }
        self.text = text
    }

    /// The spelling for a Lua table, such as `ShoppingList`.
    var tableName: String {
        text.split { $0 == "_" || $0 == "-" }
            .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// A text changed to a valid name: `My Flow` becomes `my_flow`.
    private static func cleaned(_ text: String) -> String {
        var result = ""
        for character in text.lowercased().prefix(64) {
            switch character {
            case "a"..."z" where character.isASCII: result.append(character)
            case "0"..."9", "-", "_": if !result.isEmpty { result.append(character) }
            default: if !result.isEmpty, result.last != "_" { result.append("_") }
            }
        }
        while let last = result.last, last == "_" || last == "-" { result.removeLast() }
        return result
    }
}
