import ArgumentParser
import LuaVM
import PlainValue
import WorkflowKit
import WorkflowLua

/// `workflow-run <flow.lua>`: plays a flow.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Plays a flow: prints renderings and outputs, takes actions.",
        usage: "workflow-run <flow.lua> [options]",
        discussion: """
            Examples:
              workflow-run Examples/todo/todo.lua
              workflow-run Examples/hello/hello.lua --props '{"name": "you"}'
              echo 'add{ text = "milk" }' | workflow-run Examples/todo/todo.lua
              workflow-run Examples/todo/todo.lua --json < requests.jsonl

            Actions come from standard input, one a line: add, add{ text = "milk" }, or JSON. The run ends
            at the first output of the root, or when the input has ended.

            Exit status: 0 finished, 64 usage, 65 the flow failed, 66 no such file, 69 a worker is missing,
            70 a bug in the host, 75 timed out, 130 interrupted, 143 terminated.
            """)

    @Argument(help: "The flow file, or - to read the flow from standard input.")
    var flow: String

    @Option(help: "The root's props: JSON, @file, or - for standard input.")
    var props: String?

    @Flag(help: "Speak JSON lines: events on standard output, requests on standard input.")
    var json = false

    @Flag(help: "Go on after the root's first output.")
    var keepGoing = false

    @Flag(help: "Print outputs and errors only.")
    var quiet = false

    @Option(help: "Colours: auto, always or never.")
    var color = ColorChoice.auto

    @Option(help: "End the whole run after this many seconds.")
    var timeout: Double?

    @Option(help: "Stop one call into the flow after this many seconds.")
    var maxTime = 1.0

    @Option(help: "Memory that the flow may use, in megabytes.")
    var maxMemory = 64

    @Option(help: "Stop one call after this many Lua instructions; off unless given.")
    var maxInstructions: Int?

    @Option(help: "The seed of the flow's random numbers.")
    var seed: UInt64 = 0

    func validate() throws {
        func check(_ holds: Bool, _ message: String) throws {
            guard holds else { throw ValidationError(message) }
        }
        try check(timeout.map { $0 > 0 } ?? true, "--timeout takes a number of seconds above 0.")
        try check(maxTime > 0 && maxTime <= 1e6, "--max-time takes a number of seconds above 0.")
        try check(
            (1...1_000_000).contains(maxMemory), "--max-memory takes a number of megabytes from 1 on.")
        try check(
            maxInstructions.map { $0 > 0 } ?? true, "--max-instructions takes a number above 0.")
        try check(
            !(flow == "-" && props == "-"), "Only one of the flow and --props can be standard input.")
    }

    func run() async throws {
        OutputStream.ignoreClosedPipes()
        let inputs = RunInputs(timeout: timeout)
        var options = FlowOptions(limits: limits)
        do throws(PropsFailure) {
            if let props { options.props = try readProps(props) }
        } catch {
            reportUsage(error)
            throw error.status
        }
        let source = try source()
        // A flow or props that came from standard input leave nothing there for actions.
        let takesInput = flow != "-" && props != "-"
        let status: ExitStatus
        if json {
            status = await JSONRun(keepsGoing: keepGoing)
                .play(source, options: options, inputs: inputs, takesInput: takesInput)
        } else {
            let player = TextRun(
                keepsGoing: keepGoing, isQuiet: quiet,
                output: OutputStyle(stream: .standardOutput, choice: color),
                errors: OutputStyle(stream: .standardError, choice: color))
            status = await player.play(
                source, options: options, inputs: inputs, takesInput: takesInput)
        }
        if status != .success { throw status }
    }

    private var limits: LuaVM.Configuration {
        var limits = LuaVM.Configuration()
        limits.timeLimit = .milliseconds(Int(maxTime * 1000))
        limits.memoryLimit = maxMemory << 20
        limits.instructionLimit = maxInstructions
        limits.seed = seed
        return limits
    }

    private func source() throws -> FlowSource {
        guard flow == "-" else { return .file(flow) }
        var lines: [String] = []
        while let line = readLine(strippingNewline: false) { lines.append(line) }
        return .text(lines.joined(), name: "stdin.lua")
    }

    private func reportUsage(_ failure: PropsFailure) {
        var error = FlowError(.props, failure.message)
        error.help = failure.help
        _ = OutputStream.standardError.write(
            ErrorPrinter(style: Style(color, for: .standardError)).text(error))
    }
}
