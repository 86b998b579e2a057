import ArgumentParser
import FlowPrinting
import LibC
import LuaVM
import Terminal
import WorkflowLua

/// The `workflow-run` command: everything but the executable's two lines.
public enum CommandLineTool {
    /// Makes stacks independent of the shell's limits.
    ///
    /// ```swift
    /// CommandLineTool.prepareThreads()
    /// await CommandLineTool.main()
    /// ```
    ///
    /// - Important: It has no effect on threads that were started before.
    public static func prepareThreads() {
        LuaVM.useStack(ofAtLeast: 8 << 20)
    }

    /// Runs the command with the process's arguments and exits.
    public static func main() async -> Never {
        exit(await run(Array(CommandLine.arguments.dropFirst())))
    }

    static func run(_ arguments: [String]) async -> Int32 {
        let verb = (try? withVerb(arguments))?.first ?? "run"
        // Output for programs, such as a completion script, uses the usual name.
        let isForPrograms = arguments.contains { option in
            ["--generate-completion-script", "--experimental-dump-help"].contains {
                option.hasPrefix($0)
            }
        }
        return await status(
            of: RootCommand.self, named: "workflow-run \(verb)",
            isForPrograms ? CompletionScript.completingFlows : ProgramName.typed.inserted
        ) {
            let arguments = try withVerb(arguments)
            // `run` is the most frequent command, and parses faster by itself than as a subcommand.
            if arguments.first == "run",
                let command = try? RunCommand.parse(Array(arguments.dropFirst()))
            {
                return try await command.run()
            }
            var command = try RootCommand.parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        }
    }

    /// Runs a command of another program, by the name that the user types. Returns the exit status.
    package static func run<Command: ReportingCommand>(
        _ command: Command.Type, named name: String, _ arguments: [String]
    ) async -> Int32 {
        await status(of: command, named: name, ProgramName.typed.inserted) {
            try await command.parse(arguments).run()
        }
    }

    /// Runs a body, prints the `edited` help or the error of its arguments, and returns the exit
    /// status.
    private static func status(
        of command: any ParsableArguments.Type, named name: String,
        _ edited: (String) -> String, _ body: () async throws -> Void
    ) async -> Int32 {
        OutputStream.ignoreClosedPipes()
        do {
            try await body()
            return ExitStatus.success.rawValue
        } catch let status as ExitStatus {
            return status.rawValue
        } catch let unknown as UnknownVerb {
            return reportUsage(unknown.message, help: unknown.help)
        } catch {
            guard command.exitCode(for: error).isSuccess else {
                return reportUsage(command.message(for: error), help: "see \(name) --help")
            }
            OutputStream.standardOutput.write(edited(command.fullMessage(for: error) + "\n"))
            return ExitStatus.success.rawValue
        }
    }

    /// Reports a usage error like all other errors.
    private static func reportUsage(_ message: String, help: String) -> Int32 {
        let printer = ErrorPrinter(style: Style(.auto, for: .standardError))
        OutputStream.standardError.write(printer.text(FlowError(.file, message, help: help)))
        return ExitStatus.usage.rawValue
    }

    /// The arguments with `run` inserted before a flow file. A bare word is a subcommand.
    private static func withVerb(_ arguments: [String]) throws -> [String] {
        guard let first = arguments.first, !first.hasPrefix("-") || first == "-" else {
            // Options before the file, such as `--json flow.lua`, also belong to `run`.
            let isForAll = [
                "-h", "--help", "-help", "--version", "--generate-completion-script",
                "--experimental-dump-help", "---completion",
            ].contains(arguments.first ?? "")
            return arguments.isEmpty || isForAll ? arguments : ["run"] + whole(arguments)
        }
        if isFlow(first) { return ["run"] + whole(arguments) }
        guard RootCommand.verbs.contains(first) else { throw UnknownVerb(word: first) }
        if first == "help", arguments.count > 1, !RootCommand.verbs.contains(arguments[1]),
            !arguments[1].hasPrefix("-")
        {
            throw UnknownVerb(word: arguments[1], isTopic: true)
        }
        return first == "run" ? whole(arguments) : arguments.map(withPort)
    }

    private static func isFlow(_ argument: String) -> Bool {
        argument == "-"
            || !argument.hasPrefix("-") && (argument.contains("/") || argument.contains("."))
    }

    /// The arguments of `run` with a value for `--watch`, so that it does not take a flow as one.
    private static func whole(_ arguments: [String]) -> [String] {
        arguments.map {
            $0 == "--watch" ? "--watch=\(WatchChoice.state.rawValue)" : withPort($0)
        }
    }

    /// Adds a port to an option that may have one.
    private static func withPort(_ argument: String) -> String {
        ["--inspect", "--web"].contains(argument) ? "\(argument)=0" : argument
    }
}
