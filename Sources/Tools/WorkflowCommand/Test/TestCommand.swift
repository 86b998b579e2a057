import ArgumentParser
import FlowPrinting
import FlowREPL
import FlowTesting
import LuaVM
import Terminal
import WorkerKit

struct TestCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Runs the tests in files named *_test.lua.",
        usage: "workflow-run test [paths…] [options]",
        discussion: """
              workflow-run test
              workflow-run test Examples/todo --filter "adds items"
              workflow-run test --tap
              workflow-run test --watch

            Looks for *_test.lua in the paths and the folders in them. No worker runs in a test \
            and time is virtual. Exits with 0 if all tests passed, 1 if not, 64 usage, 65 a test \
            file is broken, 66 no such path or no tests.
            """)

    @Argument(help: "Files and folders.", completion: .file())
    var paths: [String] = ["."]

    @Option(help: ArgumentHelp("Run only tests with this in their names.", valueName: "text"))
    var filter: String?

    @Flag(help: "Print the Test Anything Protocol.")
    var tap = false

    @Flag(help: "Print JSON lines.")
    var json = false

    @Option(
        help: ArgumentHelp("Write a report in JUnit's XML too.", valueName: "file"),
        completion: .file())
    var junit: String?

    @Flag(help: "Run again whenever a file changes.")
    var watch = false

    @Flag(help: "Write golden renderings anew.")
    var update = false

    @Option(
        help: ArgumentHelp(
            "Where the sessions of failed tests are recorded; by default a new temporary folder.",
            valueName: "folder"), completion: .directory)
    var recordings: String?

    @Option(help: ColorChoice.help) var color = ColorChoice.auto

    @OptionGroup var plugins: PluginLibraryOptions
    @OptionGroup var libraries: LibraryOptions

    @Option(help: ArgumentHelp("Seconds that one test may take.", valueName: "s"))
    var maxTime = 10.0

    @Option(help: ArgumentHelp("Megabytes that the flows of a file may use.", valueName: "mb"))
    var maxMemory = 64

    @Option(help: ArgumentHelp("Seed of the random numbers.", valueName: "n"))
    var seed: UInt64 = 0

    @Flag(
        help:
            "Run the scripts of each file in a process of their own, which can reach nothing else.")
    var isolate = false

    func validate() throws {
        try check(!(tap && json), "Only one of --tap and --json can be printed.")
        try LuaVM.Options.check(seconds: maxTime, megabytes: maxMemory)
    }

    func perform() async throws -> ExitStatus {
        let recordings = recordings ?? Self.temporaryFolder()
        guard watch else { return try runOnce(recordings: recordings) }
        while true {
            // Before the tests run, so that no change is missed.
            let seen = WatchedFiles(paths + libraries.folders)
            do { _ = try runOnce(recordings: recordings) } catch { color.say(Refusal(error).error) }
            OutputStream.standardError.write("\nwaiting for a file to change; Ctrl-C ends\n")
            _ = await seen.changed()
            OutputStream.standardError.write("\n")
        }
    }

    /// The path of a new folder, which is created when the first test fails.
    private static func temporaryFolder() -> String {
        let name = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        return "\(TemporaryFile.folder)/workflow-run-test-\(name)"
    }

    private func runOnce(recordings: String) throws -> ExitStatus {
        if let junit { try ReplacedFile.report.require(junit, for: "--junit") }
        let files = try TestFiles.find(in: paths)
        let output = color.output
        let reporter: any TestReporter =
            if json {
                JSONTestReporter(stream: output.stream)
            } else if tap {
                TAPReporter(stream: output.stream)
            } else {
                TreeReporter(output: output)
            }
        var run = TestRun(
            options: try options(recordings: recordings), reporter: reporter,
            errors: ErrorPrinter(style: color.errors.style))
        for file in files { run.play(file) }
        let status = run.finish(filter: filter)
        if let junit {
            try ReplacedFile.report.require(junit, for: "--junit")
            try writeFile(junit, JUnitReport(run.files).text)
        }
        return status
    }

    private func options(recordings: String) throws -> FlowTestOptions {
        var options = FlowTestOptions(
            filter: filter, recordings: recordings, updatesGoldens: update)
        options.limits = LuaVM.Options(
            seconds: maxTime, megabytes: maxMemory, seed: seed, isIsolated: isolate)
        options.plugins = try plugins.makeRegistry()
        options.libraries = libraries.folders
        return options
    }
}
