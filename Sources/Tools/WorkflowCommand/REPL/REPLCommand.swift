import ArgumentParser
import FlowPrinting
import FlowREPL
import LibC
import Terminal
import WorkflowKit

struct REPLCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "repl",
        abstract: "Explores a flow: sends actions, evaluates Lua, goes back and forth in time.",
        discussion: """
              workflow-run repl Examples/todo/todo.lua
              todo> add{ text = "milk" }
              todo> = #state.items
              todo> .undo

            .help lists all commands. Without a flow, = evaluates Lua, and .load opens a flow. In \
            a pipe, each line of standard input is a command, and an error makes the exit code 65.
            """)

    @Argument(
        help: "The flow file, or a recording.", completion: .file(extensions: ["lua", "jsonl"]))
    var flow: String?

    @Option(help: ArgumentHelp("Props of the root: JSON or @file.", valueName: "json"))
    var props: String?

    @Option(help: ColorChoice.help) var color = ColorChoice.auto

    @OptionGroup var limits: LimitOptions
    @OptionGroup var libraries: LibraryOptions
    @OptionGroup var files: SessionFileOptions
    @OptionGroup var page: InspectOptions
    @OptionGroup var plugins: PluginOptions

    func validate() throws {
        guard flow != "-", props != "-" else {
            throw ValidationError("Standard input is what the commands are read from; give a file.")
        }
    }

    func perform() async throws -> ExitStatus {
        try files.checkOutputs(besides: plugins.audit)
        var options = REPL.Options()
        options.style = color.output.style
        options.errorStyle = color.errors.style
        options.flowOptions.limits = limits.limits
        options.flowOptions.libraries = libraries.folders
        if let props { options.flowOptions.props = try readProps(props) }
        try plugins.apply(
            to: &options.flowOptions, flow: flow,
            question: isTerminal ? GrantQuestion.inTerminal(color) : nil)
        PlayedMistakes.tell(in: &options.flowOptions)
        options.setGrants = { [plugins] in try plugins.setGrants(of: &$0, flow: $1) }
        options.snapshot = try files.readSnapshot()
        options.flowOptions.journal = try files.makeJournal()
        options.flowOptions.secrets = Set(files.secret)
        options.save = { [files] in try await files.saveSnapshot(of: $0) }
        options.socket = files.listen
        let inspection = try await page.start()
        options.pageSocket = inspection?.socket
        do {
            let status = try await play(options, inspection)
            await inspection?.close()
            return status
        } catch {
            await inspection?.close()
            throw error
        }
    }

    private func play(
        _ options: REPL.Options, _ inspection: Inspection?
    ) async throws -> ExitStatus {
        let source = flow.map { FlowSource.file($0) }
        let open = { (options: REPL.Options) async throws in
            let repl = try await REPL.open(source, options: options)
            inspection?.announce()
            return repl
        }
        guard isTerminal else { return try await PipedREPL(options).run(open: open) }
        var banner = [Self.banner]
        if flow == nil {
            banner.append("No flow is open: .load FILE opens one, = evaluates Lua.")
        }
        return try await TerminalREPL(options).run(
            banner: banner, showsHeadline: flow != nil, open: open)
    }

    /// True if a person types the lines.
    private var isTerminal: Bool {
        isatty(STDIN_FILENO) == 1 && OutputStream.standardOutput.isTerminal
    }

    private static let banner =
        "workflow-run \(RootCommand.version), Lua 5.4. " + "Type .help for help, Ctrl-D to leave."
}
