import ArgumentParser
import LibC
import WorkflowCommand

/// The `workflow-serve` program: everything but the executable's two lines.
public enum ServeTool {
    /// Makes stacks independent of the shell's limits.
    ///
    /// - Important: Call it before starting threads.
    public static func prepareThreads() { CommandLineTool.prepareThreads() }

    /// Runs the command with these arguments and exits.
    public static func main(_ arguments: [String]) async -> Never { exit(await run(arguments)) }

    static func run(_ arguments: [String]) async -> Int32 {
        let name = "workflow-run serve"
        guard let first = arguments.first else {
            return await CommandLineTool.run(ServeCommand.self, named: name, [])
        }
        for command in AllOfServe.subcommands where command.configuration.commandName == first {
            return await CommandLineTool.run(
                command, named: "\(name) \(first)", Array(arguments.dropFirst()))
        }
        if descriptions.contains(first) { await CommandLineTool.main() }
        return await CommandLineTool.run(ServeCommand.self, named: name, arguments)
    }

    /// Options that ask about all commands, for completions and manual pages.
    private static let descriptions = ["--generate-completion-script", "--experimental-dump-help"]
}

/// The command `serve` with its subcommands, for completions and manual pages. It is not parsed: a
/// parser would take the path of a flow called `token` for the subcommand.
struct AllOfServe: ParsableCommand {
    static let subcommands: [any ReportingCommand.Type] = [
        TokenCommand.self, CodeCheckCommand.self, BackupCommand.self,
    ]
    static let configuration = {
        var configuration = ServeCommand.configuration
        configuration.subcommands = subcommands
        return configuration
    }()

    @OptionGroup var command: ServeCommand
}
