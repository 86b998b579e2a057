import ArgumentParser
import FlowChecking
import FlowPrinting
import PlainValue
import Terminal

struct CheckCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Looks for mistakes in flows, modules and tests without playing them.",
        usage: "workflow-run check [<path> ...] [options]",
        discussion: """
              workflow-run check
              workflow-run check Examples/todo --json
              workflow-run check . --exclude vendor

            Loads each flow in the sandbox and reads each file: syntax, definitions, names of \
            actions, workers, modules and globals, fields of states, actions, props and outputs, \
            inputs of workers, state outside the state, tests that expect nothing. Runs luacheck \
            too where it is installed. Prints file:line:column: message. Exits with 0, or 64 \
            usage, 65 there are problems, 66 no such file, 78 a plugin cannot be used.
            """)

    @Argument(
        help: "Files, and folders to walk; the current folder unless given.",
        completion: .file(extensions: ["lua"]))
    var paths: [String] = ["."]

    @Option(
        help: ArgumentHelp(
            "Leave out files and folders of this name or path, which may have *; may be repeated.",
            valueName: "pattern"))
    var exclude: [String] = []

    @Flag(help: "Print a line of JSON for each problem, and one at the end.")
    var json = false

    @Flag(inversion: .prefixedNo, help: "Run luacheck if installed.")
    var luacheck = true

    @OptionGroup var plugins: PluginLibraryOptions
    @OptionGroup var libraries: LibraryOptions

    func perform() async throws -> ExitStatus {
        let registry = try plugins.makeRegistry()
        var check = try Check(
            paths, excluding: exclude, registry: registry, libraries: libraries.folders)
        var problems = check.run()
        if luacheck, let program = Luacheck(path: environmentVariable("PATH") ?? "") {
            problems = await program.added(to: problems, of: check.paths)
        }
        let status: ExitStatus = problems.isEmpty ? .success : .flow
        var lines = problems.map { json ? $0.json : $0.text }
        if json {
            let end: Value.Record = [
                "v": 1, "type": "done", "files": .int(check.fileCount),
                "problems": .int(problems.count), "exit": .int(Int(status.rawValue)),
            ]
            lines.append(Value.record(end).json)
        }
        try printOutput(lines.map { $0 + "\n" }.joined())
        OutputStream.standardError.write(Self.summary(problems, fileCount: check.fileCount))
        return status
    }

    /// The final line on standard error.
    static func summary(_ problems: [Problem], fileCount: Int) -> String {
        let found =
            problems.isEmpty
            ? "no problems"
            : String.counted(problems.count, "problem") + " in "
                + String.counted(Set(problems.map(\.file)).count, "file")
        return "checked \(String.counted(fileCount, "file")): \(found)\n"
    }
}
