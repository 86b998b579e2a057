struct Command: Sendable {
    /// As typed, without the prompt; may have several lines.
    var text: String
    var shown: [String] = []

    /// Splits a line into a prompt such as `todo> ` or `todo@1/3> ` and the typed text.
    static func prompted(_ line: String) -> (prompt: String, typed: String)? {
        guard let match = line.prefixMatch(of: #/[a-z][a-z0-9_-]*(@\d+/\d+)?> |\s*>> /#) else {
            return nil
        }
        return (String(match.0), String(line[match.range.upperBound...]))
    }

    /// True if typed lines at the command's own prompts follow.
    var isConversation: Bool { shown.contains { Self.prompted($0) != nil } }

    /// The commands of a block: after a `$ ` each in a `console`, on lines of their own in a `sh`.
    static func all(in block: Page.Block) -> [Command] {
        var commands: [Command] = []
        var isUnfinished = false
        for line in block.lines {
            if isUnfinished {
                commands[commands.count - 1].text += "\n" + line
            } else if block.language == "console", line.hasPrefix("$ ") {
                commands.append(Command(text: String(line.dropFirst(2))))
            } else if block.language == "console" {
                if !commands.isEmpty { commands[commands.count - 1].shown.append(line) }
                continue
            } else if line.isEmpty || line.hasPrefix("#") {
                continue
            } else {
                commands.append(Command(text: line))
            }
            isUnfinished = goesOn(commands[commands.count - 1].text)
        }
        return commands
    }

    /// True if a shell would wait for another line.
    private static func goesOn(_ text: String) -> Bool {
        let hasOpenQuote = !text.filter { $0 == "'" }.count.isMultiple(of: 2)
        return hasOpenQuote || ["\\", "|", "&&"].contains { text.hasSuffix($0) }
    }
}
