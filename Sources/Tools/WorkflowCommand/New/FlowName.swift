/// The name of a new flow's folder and file and, in another spelling, of its table.
struct FlowName {
    /// The spelling for files, such as `shopping_list`.
    let text: String

    /// The reason for which a text is not such a name, with a similar valid name.
    struct Fault: Error {
        let message: String
        let suggestion: String?

        init(_ text: String, _ reason: String, _ suggestion: String?) {
            message = "'\(text)' cannot be the name of a flow: \(reason)"
            self.suggestion = suggestion
        }
    }

    init(parsing text: String) throws(Fault) {
        let near = Self.cleaned(text)
        guard !text.isEmpty, text == near else {
            let isUsable = !near.isEmpty && (try? FlowName(parsing: near)) != nil
            throw Fault(
                text,
                "a name has lower-case letters, digits, '_' and '-', and begins with a letter",
                isUsable ? near : nil)
        }
        if text == "workflow" {
            throw Fault(text, "require \"workflow\" is the host's", "my_workflow")
        }
        if text.hasSuffix("_test") {
            throw Fault(
                text, "files that end with _test are tests", Self.cleaned(String(text.dropLast(5))))
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
