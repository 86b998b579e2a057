import ArgumentParser
import FlowExploring
import FlowPrinting
import LuaSyntax
import PlainValue
import Terminal
import WorkflowKit
import WorkflowLua

struct ExploreCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "explore",
        abstract: "Tries all that can be done in a flow and tells what goes wrong.",
        usage: "workflow-run explore <flow.lua> [options]",
        discussion: """
              workflow-run explore Examples/welcome/welcome.lua
              workflow-run explore todo.lua --action 'add{ text = "milk" }'
              workflow-run explore todo.lua --never '#state.items > 3'
              workflow-run explore board.lua --within 'state.revision < 3' --write-test \
            found_test.lua
              workflow-run explore door.lua --graph dot | dot -Tsvg > door.svg

            Tries the sinks of each rendering, --action, and the root's actions without fields \
            (these may fail) in each state found. No worker runs. Exits with 0 if nothing was \
            found, 1 if something was; 64 usage, 65 broken flow, 66 no file.
            """)

    @Argument(help: "The flow file.", completion: .file(extensions: ["lua"]))
    var flow: String

    @Option(help: ArgumentHelp("Props of the root: JSON, @file or -.", valueName: "json"))
    var props: String?

    @Option(
        help: ArgumentHelp(
            "Try this action too, in JSON or as add{ n = 1 } or rows[1].edit{ n = 1 }.",
            valueName: "action"))
    var action: [String] = []

    @Flag(help: "Do not try the root's actions without fields.")
    var onlySinks = false

    @Option(
        help: ArgumentHelp("Let workers of a name give this output.", valueName: "name=json"),
        completion: .workers(followedBy: "="))
    var worker: [String] = []

    @Option(
        help: ArgumentHelp("Let workers of a name fail with this code.", valueName: "name=code"),
        completion: .workers(followedBy: "="))
    var workerError: [String] = []

    @Option(
        help: ArgumentHelp("Lua over state, rendering, props: never true.", valueName: "expr"))
    var never: [String] = []

    @Option(
        help: ArgumentHelp(
            "Lua that is true at some time on every way, even one that goes round for ever.",
            valueName: "expr"))
    var eventually: [String] = []

    @Option(help: ArgumentHelp("Lua that is true somewhere; says the way.", valueName: "expr"))
    var reachable: [String] = []

    @Option(
        help: ArgumentHelp(
            "Lua that bounds the search: states where it is false are not followed.",
            valueName: "expr"))
    var within: [String] = []

    @Option(
        help: ArgumentHelp(
            "Lua that is true where the flow may stay, beside final = true in the rendering.",
            valueName: "expr"))
    var end: [String] = []

    @Flag(
        help: """
            Guess fields that sinks leave open, by the code that reads them, and outputs of \
            workers, by what their plugins declare.
            """)
    var guess = false

    @Flag(help: "Let each worker fail, once on a way.")
    var failWorkers = false

    @Option(
        help: ArgumentHelp(
            "Walk at random this many times after a limit, and shorten what is found.",
            valueName: "n"))
    var walks = 0

    @Option(help: ArgumentHelp("Take this many steps in a walk.", valueName: "n"))
    var walkSteps = 100

    @Option(help: ArgumentHelp("Look at this many states.", valueName: "n"))
    var maxStates = 1000

    @Option(help: ArgumentHelp("Take this many steps from the beginning.", valueName: "n"))
    var maxDepth: Int?

    @Option(help: ArgumentHelp("Explore for this many seconds.", valueName: "s"))
    var maxSeconds: Double?

    @Option(help: ArgumentHelp("Keep this many megabytes of states.", valueName: "mb"))
    var maxMegabytes = 512

    @Flag(help: "Go on after the root's outputs.")
    var keepGoing = false

    @Option(help: ArgumentHelp("Draw what was seen.", valueName: "form"))
    var graph: GraphForm?

    @Option(
        help: ArgumentHelp(
            "Draw one state for each value of a field of the rendering or the state, "
                + "such as screen.",
            valueName: "path"))
    var graphBy: String?

    @Option(
        help: ArgumentHelp("Write what was found as tests beside the flow.", valueName: "file"),
        completion: .file(extensions: ["lua"]))
    var writeTest: String?

    @Flag(help: "Print one JSON object.")
    var json = false

    @Option(help: ColorChoice.help) var color = ColorChoice.auto

    @OptionGroup var plugins: PluginLibraryOptions
    @OptionGroup var limits: LimitOptions
    @OptionGroup var libraries: LibraryOptions

    func validate() throws {
        try check(maxStates > 0, "--max-states takes a number above 0.")
        try check(maxDepth.map { $0 >= 0 } ?? true, "--max-depth takes a number from 0 on.")
        try check(seconds: maxSeconds, "--max-seconds")
        try check(
            (1...1_000_000).contains(maxMegabytes),
            "--max-megabytes takes a number of megabytes from 1 to 1000000.")
        try check(walks >= 0, "--walks takes a number from 0 on.")
        try check(walkSteps > 0, "--walk-steps takes a number above 0.")
        try check(
            !(json && (graph ?? form) != nil), "Only one of --json and --graph can be printed.")
    }

    func perform() async throws -> ExitStatus {
        var options = FlowExplorationOptions(
            guessesActions: !onlySinks, never: never, goesOnAfterOutputs: keepGoing,
            maximumStates: maxStates,
            maximumDepth: maxDepth, maximumTime: maxSeconds.map { .seconds($0) },
            maximumMemory: maxMegabytes << 20, limits: limits.limits)
        if let props { options.props = try readProps(props) }
        let arguments = ExploreArguments(flow: flow, limits: limits.limits)
        for text in action {
            if let sink = try arguments.sink(text) {
                options.sinks.append(sink)
            } else {
                options.actions.append(try arguments.action(text))
            }
        }
        for text in worker { options.workers.append(try arguments.output(text)) }
        for text in workerError { options.workers.append(try arguments.failure(text)) }
        options.plugins = try plugins.makeRegistry()
        (options.within, options.ends) = (within, end)
        (options.eventually, options.reachable) = (eventually, reachable)
        (options.guessesValues, options.failsWorkers) = (guess, failWorkers)
        (options.walks, options.walkLength) = (walks, walkSteps)
        let path = try graphBy.map { try arguments.path($0) }
        options.libraries = libraries.folders
        let seen = try FlowExplorer(.file(flow), options: options).explore()
        try print(seen, graphBy: path)
        if let writeTest, !seen.findings.isEmpty {
            try ExplorationTest(exploration: seen, flow: flow, props: options.props)
                .write(to: writeTest)
        }
        return seen.findings.isEmpty ? .success : .failed
    }

    private var form: GraphForm? { graph ?? (graphBy == nil ? nil : .mermaid) }

    private var readFields: [String: [String]] {
        guard let path = resolvedPath(flow), case .success(let bytes) = readFile(path) else {
            return [:]
        }
        return ActionFields(source: bytes).fields
    }

    private func print(_ seen: FlowExploration, graphBy path: ValuePath?) throws {
        if json {
            OutputStream.standardOutput.write(ExplorationJSON(seen).text)
            return
        }
        var report = color.output
        if let form {
            let graph =
                if let path { try ExplorationGraph(seen, by: path) } else { ExplorationGraph(seen) }
            OutputStream.standardOutput.write(graph.text(form))
            report = color.errors
        }
        var text = ExplorationText(style: report.style)
        text.readFields = readFields
        report.stream.write(text.text(seen))
    }
}
