import LibC
import WorkflowCommand

/// The `workflow-serve` program: everything but the executable's two lines.
public enum ServeTool {
    /// Makes stacks independent of the shell's limits. Call it before starting threads.
    public static func prepareThreads() { CommandLineTool.prepareThreads() }

    /// Runs the command with the process's arguments and exits.
    public static func main() async -> Never {
        exit(await run(Array(CommandLine.arguments.dropFirst())))
    }

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
        return await CommandLineTool.run(ServeCommand.self, named: "workflow-run serve", arguments)
    }
}
