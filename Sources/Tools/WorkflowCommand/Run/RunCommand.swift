import ArgumentParser
import FlowPrinting
import LibC
import Terminal
import WorkflowKit
import WorkflowLua

struct RunCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Plays a flow: prints renderings and outputs, takes actions.",
        usage: "workflow-run <flow.lua> [options]",
        discussion: """
              workflow-run Examples/todo/todo.lua
              workflow-run Examples/hello/hello.lua --props '{"name": "you"}'
              echo 'add{ text = "milk" }' | workflow-run Examples/todo/todo.lua
              workflow-run Examples/todo/todo.lua --json < Examples/todo/todo.in

            Reads one action a line: add, add{ text = "milk" }, or JSON. Ends at the root's first \
            output, or with the input. Exits with 0, or 64 usage, 65 flow failed, 66 no file, 69 \
            no worker, 70 host failed, 74 input/output, 75 timeout, 130 Ctrl-C, 143 SIGTERM.
            """)

    @Argument(
        help: "The flow file, or - for standard input.", completion: .file(extensions: ["lua"]))
    var flow: String

    @Option(help: ArgumentHelp("Props of the root: JSON, @file or -.", valueName: "json"))
    var props: String?

    @Flag(help: "Speak JSON lines: requests in, events out.")
    var json = false

    @Flag(help: "Go on after the root's first output.")
    var keepGoing = false

    @Flag(help: "Print outputs and errors only.")
    var quiet = false

    @Option(help: ColorChoice.help) var color = ColorChoice.auto

    @Option(help: ArgumentHelp("End the run after this many seconds.", valueName: "s"))
    var timeout: Double?

    @Option(
        help: ArgumentHelp(
            "Load the flow again when its files change; --watch is --watch=state.",
            valueName: "how"))
    var watch: WatchChoice?

    @OptionGroup var plugins: PluginOptions
    @OptionGroup var files: SessionFileOptions
    @OptionGroup var page: InspectOptions
    @OptionGroup var limits: LimitOptions
    @OptionGroup var libraries: LibraryOptions

    func validate() throws {
        try files.check(isInspected: page.inspect != nil)
        try check(seconds: timeout, "--timeout")
        try check(
            !(flow == "-" && props == "-"),
            "Only one of the flow and --props can be standard input.")
    }

    func perform() async throws -> ExitStatus {
        do {
            return try await play()
        } catch {
            guard json else { throw error }
            return await JSONInterface.refuse(error)
        }
    }

    private func play() async throws -> ExitStatus {
        try files.checkOutputs(besides: plugins.audit)
        var options = FlowOptions(limits: limits.limits)
        options.libraries = libraries.folders
        if let props { options.props = try readProps(props) }
        try plugins.apply(
            to: &options, flow: flow, question: isTerminal ? GrantQuestion.inTerminal(color) : nil)
        if !quiet { PlayedMistakes.tell(in: &options) }
        let source = try readSource()
        let snapshot = try files.readSnapshot()
        options.journal = try files.makeJournal()
        options.secrets = Set(files.secret)
        // A flow or props from standard input leave nothing for actions.
        let takesInput = flow != "-" && props != "-"
        let inspection = try await page.start()
        let isPlayed = takesInput && isTerminal
        let keyboard = isPlayed ? Keyboard(history: LineHistory(folder: nil)) {} : nil
        let inputs = RunInputs(timeout: timeout, keyboard: keyboard)
        if watch != nil { inputs.watch([flow] + libraries.folders) }
        let runOptions = RunOptions(
            source: source, flowOptions: options, snapshot: snapshot, inputs: inputs,
            takesInput: takesInput, keepsGoing: keepGoing || watch != nil || inspection != nil,
            reload: watch?.policy ?? .keepingState, socket: files.listen, inspection: inspection,
            save: { try await files.saveSnapshot(of: $0) })
        if json { return await Run(runOptions, interface: JSONInterface()).play() }
        let output = color.output
        let terminal =
            output.stream.isTerminal
            ? RunTerminal(style: output.style, isQuiet: quiet, keyboard: keyboard) : nil
        let interface = TextInterface(
            isQuiet: quiet, output: output, errors: color.errors, terminal: terminal)
        return await Run(runOptions, interface: interface).play()
    }

    /// True if a person plays the flow.
    private var isTerminal: Bool {
        !json && isatty(STDIN_FILENO) == 1 && OutputStream.standardOutput.isTerminal
    }

    private func readSource() throws -> FlowSource {
        guard flow == "-" else { return .file(flow) }
        var input = LineReader()
        guard let text = input.rest() else {
            throw FlowError(.noText, "the flow on standard input")
        }
        return .text(text, name: "stdin.lua")
    }
}

/// The choices of `--watch`: what happens to the state when a flow's files change.
enum WatchChoice: String, ExpressibleByArgument, CaseIterable {
    case state, replay

    var policy: ReloadPolicy {
        switch self {
        case .state: .keepingState
        case .replay: .replayingInputs
        }
    }
}
