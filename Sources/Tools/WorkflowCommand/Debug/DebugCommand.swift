import ArgumentParser
import FlowDebugging
import FlowPrinting
import FlowREPL
import LibC
import WorkflowKit

extension PastREPL: DebugConsole {}

struct DebugCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "debug",
        abstract:
            "Debugs flows, recordings and live sessions from an editor, forwards and backwards.",
        usage: "workflow-run debug [--port <n>] [options]",
        discussion: """
            An editor runs this and speaks the Debug Adapter Protocol with it, on standard input \
            and output, or with --port on a port of this machine. What is debugged is said by the \
            editor:

              launch   program: a flow file or a recording; props, actions, at (a step), stopOnEntry
              attach   socket: that of a session which another program plays with --listen

            A stop is a copy of what is so at a line: the session itself goes on, and each step \
            back is as quick as a step on. The guide has settings for editors.

            Exits with 0, or 64 usage, 69 the port cannot be used.
            """)

    @Option(
        help: ArgumentHelp(
            "Listen at this port of 127.0.0.1; 0: any, which is printed.", valueName: "n"))
    var port: UInt16?

    @Option(help: ArgumentHelp("Never show fields or variables of this name.", valueName: "name"))
    var secret: [String] = []

    @OptionGroup var limits: LimitOptions
    @OptionGroup var libraries: LibraryOptions
    @OptionGroup var plugins: PluginOptions

    func perform() async throws -> ExitStatus {
        var options = FlowOptions()
        options.limits = limits.limits
        options.libraries = libraries.folders
        _ = try plugins.libraries.makeRegistry()
        options.secrets = Set(secret)
        var adapterOptions = DebugAdapter.Options(flowOptions: options, secrets: Set(secret)) {
            [plugins, options] command, arguments in
            try await DebugTarget(command, arguments).open(options, plugins)
        }
        adapterOptions.console = { [options] header, source in
            PastREPL(of: header, source, options: options)
        }
        guard let port else {
            // Standard output carries the protocol.
            await DebugConnection(input: STDIN_FILENO, output: STDOUT_FILENO).serve(adapterOptions)
            return .success
        }
        let listener = try DebugPort(port)
        print("listening at 127.0.0.1:\(listener.number)")
        fflush(nil)
        await listener.serve(adapterOptions)
        return .success
    }
}
