import ArgumentParser
import LibC
import WorkflowCommand

/// The `workflow-serve` program: everything but the executable's two lines.
public enum ServeTool {
    /// Makes stacks independent of the shell's limits. Call it before starting threads.
    public static func prepareThreads() { CommandLineTool.prepareThreads() }

    /// Runs the command with these arguments and exits.
    public static func main(_ arguments: [String]) async -> Never { exit(await run(arguments)) }

    /// Runs the command and returns the exit status.
    static func run(_ arguments: [String]) async -> Int32 {
        if arguments.first == "token" {
            return await CommandLineTool.run(
                TokenCommand.self, named: "workflow-run serve token", Array(arguments.dropFirst()))
        }
        if arguments.first == "check" {
            return await CommandLineTool.run(
                CodeCheckCommand.self, named: "workflow-run serve check",
                Array(arguments.dropFirst()))
        }
        if arguments.first == "backup" {
            return await CommandLineTool.run(
                BackupCommand.self, named: "workflow-run serve backup",
                Array(arguments.dropFirst()))
        }
        if let first = arguments.first, descriptions.contains(first) {
            await CommandLineTool.main()
        }
        return await CommandLineTool.run(ServeCommand.self, named: "workflow-run serve", arguments)
    }

    /// Options that ask about all commands, for completions and manual pages.
    private static let descriptions = ["--generate-completion-script", "--experimental-dump-help"]
}

/// The command `serve` with its subcommands, for completions and manual pages.
///
/// It is not parsed: a parser would take the path of a flow called `token` for the subcommand.
struct AllOfServe: ParsableCommand {
    static let configuration = {
        var configuration = ServeCommand.configuration
        configuration.subcommands = [TokenCommand.self, CodeCheckCommand.self, BackupCommand.self]
        return configuration
    }()

    @OptionGroup var command: ServeCommand
}
