import WorkerKit
import WorkflowLua

/// The command that the user typed to run this program.
///
/// Messages of all layers say `workflow-run`; the printers replace it by this command.
package struct ProgramName {
    private static let usual = "workflow-run"

    package static let commands: Set = [
        "attach", "check", "debug", "explore", "help", "new", "plugins", "repl", "replay", "run",
        "serve", "test", "types",
    ]

    /// The command that started this process.
    package static let typed = ProgramName(
        startedAs: CommandLine.arguments.first, file: programFile)

    /// The command, quoted for a shell.
    package let word: String

    /// - Parameters:
    ///   - argument: The first argument of the process, which a starting script can set.
    ///   - file: The program's file. Another program, such as a test runner, uses the usual name.
    package init(startedAs argument: String?, file: String?) {
        guard let argument, !argument.isEmpty, Self.isProgram(file ?? ""), !Self.isUsual(argument)
        else {
            word = Self.usual
            return
        }
        word = argument.shellQuoted
    }

    /// True if this is the program itself or the one that it starts to serve flows.
    private static func isProgram(_ path: String) -> Bool {
        isUsual(path) || path.nameOfPath == "workflow-serve"
    }

    private static func isUsual(_ path: String) -> Bool {
        path.nameOfPath == usual
    }

    /// The text with this name in the commands that it shows, such as `workflow-run test`. Mentions
    /// of the program itself keep the usual name.
    package func inserted(in text: String) -> String {
        guard word != Self.usual else { return text }
        let parts = text.split(separator: Self.usual + " ", omittingEmptySubsequences: false)
        guard let first = parts.first else { return text }
        return parts.dropFirst().reduce(String(first)) { text, rest in
            text + (Self.isCommand(rest, after: text) ? word : Self.usual) + " " + rest
        }
    }

    /// True if the text after the name starts with a subcommand, an option or a path.
    private static func isCommand(_ rest: Substring, after before: String) -> Bool {
        guard before.last.map({ !$0.isLetter && !"/-_.".contains($0) }) ?? true else {
            return false
        }
        let next = rest.prefix { !$0.isWhitespace && !"'`,;)".contains($0) }
        return next.hasPrefix("-") || next.contains(".") || next.contains("/")
            || commands.contains(String(next))
    }
}
