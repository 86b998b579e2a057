import ArgumentParser
import FlowPrinting
import FlowREPL
import FlowTesting
import LuaVM
import PlainValue
import Terminal
import WorkerKit
import WorkflowKit
import WorkflowLua

/// `workflow-run test [paths…]`: runs tests in Lua.
struct TestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Runs the tests in files named *_test.lua.",
        usage: "workflow-run test [paths…] [options]",
        discussion: """
              workflow-run test
              workflow-run test Examples/todo --filter "adds items"
              workflow-run test --tap
              workflow-run test --watch

            Looks for *_test.lua in the paths and the folders in them. No worker runs in a test and time is \
            virtual. Exits with 0 if all tests passed, 1 if not, 64 usage, 65 a test file is broken, 66 no such \
            path or no tests.
            """)

    @Argument(help: "Files and folders.", completion: .file())
    var paths: [String] = ["."]

    @Option(help: ArgumentHelp("Run only tests with this in their names.", valueName: "text"))
    var filter: String?

    @Flag(help: "Print the Test Anything Protocol.")
    var tap = false

    @Flag(help: "Print JSON lines.")
    var json = false

    @Option(help: ArgumentHelp("Write a report in JUnit's XML too.", valueName: "file"))
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

    @Option(help: ArgumentHelp("When to use colours.", valueName: "when"))
    var color = ColorChoice.auto

    @OptionGroup var plugins: PluginLibraryOptions

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
        func check(_ holds: Bool, _ message: String) throws {
            guard holds else { throw ValidationError(message) }
        }
        try check(!(tap && json), "Only one of --tap and --json can be printed.")
        try check(
            (0.001...1e6).contains(maxTime), "--max-time takes a number of seconds from 0.001 on.")
        try check(
            (1...1_000_000).contains(maxMemory),
            "--max-memory takes a number of megabytes from 1 on.")
    }

    func run() async throws {
        OutputStream.ignoreClosedPipes()
        let recordings = recordings ?? Self.temporaryFolder()
        guard watch else {
            let status = runOnce(recordings: recordings)
            if status != .success { throw status }
            return
        }
        while true {
            // Looked at first: what changes while the tests run is not missed.
            let seen = WatchedFiles(paths)
            _ = runOnce(recordings: recordings)
            OutputStream.standardError.write("\nwaiting for a file to change; Ctrl-C ends\n")
            try await seen.untilChanged()
            OutputStream.standardError.write("\n")
        }
    }

    /// The path of a folder that is not there, and is made when the first test has failed: most runs leave nothing.
    private static func temporaryFolder() -> String {
        let name = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        return "\(TemporaryFile.folder)/workflow-run-test-\(name)"
    }

    /// Runs all tests.
    private func runOnce(recordings: String) -> ExitStatus {
        let output = OutputStyle(stream: .standardOutput, choice: color)
        let errors = ErrorPrinter(style: Style(color, for: .standardError))
        let files: [String]
        do throws(FlowError) {
            files = try TestFiles.find(in: paths)
        } catch {
            OutputStream.standardError.write(errors.text(error))
            return .noInput
        }
        let reporter: any TestReporter =
            if json {
                JSONTestReporter(stream: output.stream)
            } else if tap {
                TAPReporter(stream: output.stream)
            } else {
                TreeReporter(output: output)
            }
        let options: FlowTestOptions
        do throws(Refusal) {
            options = try self.options(recordings: recordings)
        } catch {
            OutputStream.standardError.write(errors.text(error.error))
            return error.status
        }
        var run = TestRun(options: options, reporter: reporter, errors: errors)
        for file in files { run.play(file) }
        let status = run.finish(filter: filter)
        guard let junit else { return status }
        do throws(FlowError) {
            try writeFile(JUnitReport(run.files).text, to: junit)
        } catch {
            OutputStream.standardError.write(errors.text(error))
            return .io
        }
        return status
    }

    private func options(recordings: String) throws(Refusal) -> FlowTestOptions {
        var options = FlowTestOptions(
            filter: filter, recordings: recordings, updatesGoldens: update)
        options.limits.timeLimit = .milliseconds(Int(maxTime * 1000))
        options.limits.memoryLimit = maxMemory << 20
        options.limits.seed = seed
        options.limits.isolation = isolate ? .process : .none
        options.plugins = try plugins.makeRegistry()
        return options
    }
}
