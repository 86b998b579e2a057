import WorkerKit
import WorkflowLua

/// The command that a user types to run this program.
///
/// Hints say `workflow-run` in all layers; the printers put in its place what was typed.
package struct ProgramName {
    private static let usual = "workflow-run"

    /// The words that follow the name.
    package static let commands: Set = [
        "attach", "check", "debug", "explore", "help", "new", "plugins", "repl", "replay", "run",
        "serve", "test", "types",
    ]

    /// The name that this process was started by.
    package static let typed = ProgramName(
        startedAs: CommandLine.arguments.first, file: programFile)

    /// As a word of a command line.
    package let word: String

    /// - Parameters:
    ///   - argument: What the system has for the program's name, which a script that starts it can
    ///     give.
    ///   - file: The program's file. In another program, such as one that tests this one, the name
    ///     is the usual one.
    package init(startedAs argument: String?, file: String?) {
        guard let argument, !argument.isEmpty, Self.isProgram(file ?? ""), !Self.isUsual(argument)
        else {
            word = Self.usual
            return
        }
        word = argument.shellQuoted
    }

    /// The program itself, or the one that it starts to serve flows.
    private static func isProgram(_ path: String) -> Bool {
        isUsual(path) || path.nameOfPath == "workflow-serve"
    }

    private static func isUsual(_ path: String) -> Bool {
        path.nameOfPath == usual
    }

    /// A text with this name in each command that it shows, such as `workflow-run test`; where the
    /// program itself is meant, it has its own.
    package func inserted(in text: String) -> String {
        guard word != Self.usual else { return text }
        let parts = text.split(separator: Self.usual + " ", omittingEmptySubsequences: false)
        guard let first = parts.first else { return text }
        return parts.dropFirst().reduce(String(first)) { text, rest in
            text + (Self.isCommand(rest, after: text) ? word : Self.usual) + " " + rest
        }
    }

    /// True if a text that follows the name goes on with a command, an option or a flow's path.
    private static func isCommand(_ rest: Substring, after before: String) -> Bool {
        guard before.last.map({ !$0.isLetter && !"/-_.".contains($0) }) ?? true else {
            return false
        }
        let next = rest.prefix { !$0.isWhitespace && !"'`,;)".contains($0) }
        return next.hasPrefix("-") || next.contains(".") || next.contains("/")
            || commands.contains(String(next))
    }
}
