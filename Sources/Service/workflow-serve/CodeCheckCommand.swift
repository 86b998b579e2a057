import ArgumentParser
import FlowPrinting
import FlowService
import Terminal
import WorkflowCommand

/// `workflow-run serve check`: checks sessions before a deployment.
struct CodeCheckCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Says which kept sessions would be others with new files of their flows.",
        usage: "workflow-run serve check <path> ... --store <file> [options]",
        discussion: """
              workflow-run serve check new/todo.lua --store /var/lib/workflow/sessions.db
              workflow-run serve check new --store sessions.db --flow todo --sample 100

            Plays the inputs of each session with the files that it has and with the new ones, and \
            says at which step they differ first, and how. No worker runs, and the store is only \
            read: a service may be using it. Exits with 0 if none differs and none is refused, 1 \
            otherwise; 64 usage, 65 broken flow, 66 no file.
            """)

    @Argument(
        help: "The new flow files, and folders to look for flows in.",
        completion: .file(extensions: ["lua"]))
    var paths: [String]

    @Option(
        help: ArgumentHelp("The file in which the sessions are kept.", valueName: "file"),
        completion: .file())
    var store = "sessions.db"

    @Option(help: ArgumentHelp("Check the sessions of this flow only.", valueName: "name"))
    var flow: String?

    @Option(help: ArgumentHelp("Check the newest sessions of each flow.", valueName: "n"))
    var sample: Int?

    @Option(help: CodeChoice.help) var code: [CodeChoice] = []

    @Flag(help: "Print JSON lines.") var json = false

    @Option(help: ColorChoice.help) var color = ColorChoice.auto

    @OptionGroup var plugins: PluginOptions
    @OptionGroup var limits: LimitOptions
    @OptionGroup var libraries: LibraryOptions

    func validate() throws {
        try check(sample ?? 1 > 0, "--sample takes a number from 1 on.")
    }

    func perform() async throws -> ExitStatus {
        let codeCheck = try await CodeCheck(
            ServeCommand.flows(at: paths, limits, plugins, libraries),
            code: CodeChoice.policies(code),
            only: flow, store: store)
        var printer = CodeCheckPrinter(
            output: OutputStyle(stream: .standardOutput, choice: color), isJSON: json)
        try await codeCheck.run(sample: sample) { printer.print($0) }
        printer.printEnd()
        return printer.isClean ? .success : .failed
    }
}
