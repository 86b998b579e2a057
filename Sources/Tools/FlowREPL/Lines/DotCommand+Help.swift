import FlowPrinting
import Terminal
import WorkflowLua

extension DotCommand {
    private var usage: String { ".\(rawValue) \(arguments)".trimmed }

    /// The help on one command or name of the Lua API, or on all commands.
    static func help(
        _ word: String, in commands: [DotCommand], _ style: Style, _ columns: Int
    ) throws(FlowError) -> [String] {
        guard !word.isEmpty else { return overview(of: commands, style, columns) }
        if DotCommand(rawValue: word) == nil {
            let lines = APIHelp.lines(about: word, style)
            if !lines.isEmpty { return lines }
        }
        let command = try DotCommand(word.first == "." ? String(word.dropFirst()) : word)
        return ["\(style.bold(command.usage))  \(command.summary)"]
            + (command.details.map { wrapped(ProgramName.typed.inserted(in: $0), columns) } ?? [])
    }

    private static func overview(
        of commands: [DotCommand], _ style: Style, _ columns: Int
    ) -> [String] {
        let isOfDebugger = commands == ofDebuggers
        var rows = [
            ("add", "sends an action"),
            ("add{ text = \"milk\" }", "sends an action with fields; JSON works, too"),
            ("items[1].remove", "sends a sink of the rendering, by its path"),
        ]
        if commands == allCases {
            rows += [
                (
                    "= expression",
                    "evaluates Lua with state, rendering, props, _ (the last output), _error"
                ), ("= name = expression", "keeps a value for later expressions"),
            ]
        } else if isOfDebugger {
            rows = [("expression", "evaluates Lua with the variables where it has stopped")]
        } else {
            rows.append(("2", "sends a sink by the number that is shown; fields may follow"))
        }
        rows += commands.map { ($0.usage, $0.summary) }
        let width = rows.map { displayWidth($0.0) }.max() ?? 0
        let indent = String(repeating: " ", count: width + 4)
        let lines = rows.flatMap { name, summary in
            // A narrow terminal breaks the lines anyway.
            let texts = wrapped(summary, max(columns - indent.count, 20))
            return texts.enumerated().map { index, text in
                index == 0 ? "  \(style.cyan(name.padded(to: width)))  \(text)" : indent + text
            }
        }
        return lines
            + wrapped(
                "The beginning of a command's name will do; Tab completes what is typed.", columns)
    }

    private static func wrapped(_ text: String, _ columns: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, displayWidth(last) + displayWidth(word) < columns {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
