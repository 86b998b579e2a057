import ArgumentParser
import WorkflowLua

/// The `workflow-run` command: everything but the executable's one line.
public enum CommandLineTool {
    /// Runs the command with the process's arguments and exits.
    public static func main() async -> Never {
        let status = await run(Array(CommandLine.arguments.dropFirst()))
        exitProcess(status)
    }

    /// Runs the command with these arguments; gives the process's exit status.
    static func run(_ arguments: [String]) async -> Int32 {
        do {
            var command = try RootCommand.parseAsRoot(try withVerb(arguments))
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return ExitStatus.success.rawValue
        } catch let status as ExitStatus {
            return status.rawValue
        } catch let unknown as UnknownVerb {
            let error = FlowError(.file, unknown.message, help: unknown.help)
            let printer = ErrorPrinter(style: Style(.auto, for: .standardError))
            _ = OutputStream.standardError.write(printer.text(error))
            return ExitStatus.usage.rawValue
        } catch {
            let message = RootCommand.fullMessage(for: error)
            let code = RootCommand.exitCode(for: error)
            if !message.isEmpty {
                let stream = code.isSuccess ? OutputStream.standardOutput : .standardError
                _ = stream.write(message + "\n")
            }
            return code.rawValue
        }
    }

    /// The arguments with `run` before a flow file; a bare word is left for the parser to take as a command.
    private static func withVerb(_ arguments: [String]) throws -> [String] {
        guard let first = arguments.first, !first.hasPrefix("-") || first == "-" else {
            // Options before the file, such as `--json flow.lua`, belong to `run` too.
            let asksForHelp = ["-h", "--help", "-help", "--version"].contains(arguments.first ?? "")
            return arguments.isEmpty || asksForHelp ? arguments : ["run"] + arguments
        }
        if first.contains("/") || first.contains(".") || first == "-" { return ["run"] + arguments }
        let verbs = RootCommand.configuration.subcommands.map { $0._commandName } + ["help"]
        guard verbs.contains(first) else { throw UnknownVerb(word: first, verbs: verbs) }
        return arguments
    }
}
