import ArgumentParser
import FlowChecking
import FlowPrinting
import Terminal

/// `workflow-run check`: finds mistakes without playing.
struct CheckCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Looks for mistakes in flows, modules and tests without playing them.",
        usage: "workflow-run check [<path> ...] [options]",
        discussion: """
              workflow-run check
              workflow-run check Examples/todo --json

            Loads each flow in the sandbox and reads each file: syntax, definitions, names of actions, \
            workers, modules and globals, inputs of workers, state outside the state. Runs luacheck too \
            where it is installed. Prints file:line:column: message. Exits with 0, or 64 usage, 65 there \
            are problems, 66 no such file, 78 a plugin cannot be used.
            """)

    @Argument(
        help: "Files, and folders to walk; the current folder unless given.",
        completion: .file(extensions: ["lua"]))
    var paths: [String] = ["."]

    @Flag(help: "Print a line of JSON for each problem.")
    var json = false

    @Flag(inversion: .prefixedNo, help: "Run luacheck if installed.")
    var luacheck = true

    @OptionGroup var plugins: PluginLibraryOptions

    func perform() async throws -> ExitStatus {
        let registry = try plugins.makeRegistry()
        var check = try Check(paths, registry: registry)
        var problems = check.run()
        if luacheck, let program = Luacheck(path: environmentVariable("PATH") ?? "") {
            problems = await program.added(to: problems, of: check.paths)
        }
        let text = problems.map { (json ? $0.json : $0.text) + "\n" }.joined()
        try printOutput(OptionNames.inserted(in: text))
        OutputStream.standardError.write(Self.summary(problems, fileCount: check.fileCount))
        return problems.isEmpty ? .success : .flow
    }

    /// The final line on standard error.
    static func summary(_ problems: [Problem], fileCount: Int) -> String {
        let files = fileCount == 1 ? "1 file" : "\(fileCount) files"
        guard !problems.isEmpty else { return "checked \(files): no problems\n" }
        let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
        let bad = Set(problems.map(\.file)).count
        return "checked \(files): \(count) in \(bad == 1 ? "1 file" : "\(bad) files")\n"
    }
}
