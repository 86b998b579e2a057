import ArgumentParser
import FlowPrinting
import FlowREPL
import PlainValue
import Terminal
import WorkflowKit
import WorkflowLua

struct ReplayCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Plays a recorded session again and compares the renderings.",
        usage: "workflow-run replay <session.jsonl>… [options]",
        discussion: """
              workflow-run Examples/todo/todo.lua --record todo.jsonl
              workflow-run replay todo.jsonl
              workflow-run replay todo.jsonl --flow edited.lua
              workflow-run replay todo.jsonl --bisect '#state.items > 3'
              workflow-run replay todo.jsonl --to 4
              workflow-run replay todo.jsonl --log 'todo.lua:31: {item.id} {item.done}'
              workflow-run replay todo.jsonl --inspect

            No worker runs: the recording plays their part. Exits with 0 if all is as recorded, 1 \
            if not; with 64 usage, 65 the flow or the recording is broken, 66 no file.
            """)

    @Argument(
        help: "The recording; several with --log.", completion: .file(extensions: ["jsonl"]))
    var recordings: [String]

    @Option(
        help: ArgumentHelp(
            "Play another flow, and say at each step what is different.", valueName: "file"),
        completion: .file(extensions: ["lua"]))
    var flow: String?

    @Option(
        help: ArgumentHelp(
            "Find the first step at which this Lua expression holds.", valueName: "expr"))
    var bisect: String?

    @Option(help: ArgumentHelp("Stop after this step and print its rendering.", valueName: "n"))
    var to: Int?

    @Option(help: ArgumentHelp("Leave this step out; may be repeated.", valueName: "n"))
    var skip: [Int] = []

    @Option(
        help: ArgumentHelp(
            "Print this each time that the line was run; {…} are expressions. May be repeated.",
            valueName: "file:line: text"))
    var log: [String] = []

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp("Log only where this Lua expression holds.", valueName: "expr"))
    var condition: String?

    @Flag(help: "Print JSON lines.")
    var json = false

    @Option(help: ColorChoice.help) var color = ColorChoice.auto

    @OptionGroup var page: InspectOptions
    @OptionGroup var limits: LimitOptions
    @OptionGroup var libraries: LibraryOptions

    func validate() throws {
        try check(
            to.map({ $0 >= 0 }) ?? true && skip.allSatisfy { $0 > 0 },
            "Steps are counted from 1; 0 is the beginning.")
        try check(bisect == nil || skip.isEmpty, "--bisect and --skip do not go together.")
        try check(!recordings.isEmpty, "Name a recording.")
        try check(
            log.isEmpty || bisect == nil && skip.isEmpty && to == nil,
            "--log goes with none of --bisect, --skip and --to.")
        try check(
            !log.isEmpty || recordings.count == 1,
            "Several recordings can be played with --log only.")
        try check(
            page.inspect == nil || bisect == nil && skip.isEmpty && log.isEmpty && !json,
            "--inspect goes with none of --bisect, --skip, --log and --json.")
        try check(condition == nil || !log.isEmpty, "--where says when to log: give --log too.")
    }

    func perform() async throws -> ExitStatus {
        guard log.isEmpty else { return try await performLogging() }
        if let inspection = try await page.start() {
            return try await show(by: inspection)
        }
        let printer = ReplayPrinter(output: color.output, errors: color.errors, isJSON: json)
        let recording = try FlowRecording(path: recordings[0])
        for note in recording.notes { printer.note(note) }
        let skipped = Set(
            try skip.map { (step) throws(FlowError) in try inputs(recording, to: step) })
        let count = try to.map { (step) throws(FlowError) in try inputs(recording, to: step) }
        let path = try flowPath(recording)
        let session = try await recording.makeSession(of: .file(path), options: options)
        if flow == nil, await session.hash != recording.hash {
            printer.note("the flow's files have changed since it was recorded")
        }
        if let bisect { return try await find(bisect, in: recording, session, printer) }
        // With the original flow, all later differences result from the first one.
        let goesOn = flow != nil || !skip.isEmpty
        var differing = 0
        let differences = try await recording.replay(
            in: session, inputs: count, skipping: skipped
        ) { _, _, differs in
            if differs { differing += 1 }
            return goesOn || !differs
        }
        let lost = await session.lostSteps
        if let lost { printer.note(FlowError.notReplayable(lost).message) }
        for difference in differences { printer.print(difference) }
        if to != nil { printer.printRendering(await session.rendering, of: recording.header.flow) }
        let last = count ?? recording.steps.count
        let played = last - skipped.count { $0 <= last }
        printer.printEnd(
            of: recording, steps: played, lost: lost, differing: differing,
            differences: differences.count)
        await session.close()
        return differences.isEmpty ? .success : .failed
    }

    /// The number of a recording's inputs through the one that led to a step.
    private func inputs(_ recording: FlowRecording, to step: Int) throws(FlowError) -> Int {
        if let count = recording.inputCount(through: step) { return count }
        let last = recording.steps.lazy.filter(\.isStep).map(\.number).max() ?? 0
        throw FlowError(.noStepInRecording, step, last)
    }

    private var options: FlowOptions {
        var options = FlowOptions()
        options.limits = limits.limits
        options.libraries = libraries.folders
        return options
    }

    /// Shows the recording in a browser until Ctrl-C.
    private func show(by inspection: Inspection) async throws -> ExitStatus {
        var options = REPL.Options()
        options.flowOptions = self.options
        options.errorStyle = color.errors.style
        options.pageSocket = inspection.socket
        let inputs = RunInputs(timeout: nil, interrupt: options.interrupt)
        let repl: REPL
        do {
            repl = try await REPL.open(recording: recordings[0], of: flow, at: to, options: options)
        } catch {
            await inspection.close()
            throw error
        }
        for message in await repl.news() { color.errors.stream.write(message.text) }
        inspection.announce()
        let end = await inputs.untilEnd()
        try await repl.close()
        await inspection.close()
        return end.status
    }

    private func performLogging() async throws(FlowError) -> ExitStatus {
        let printer = LogPrinter(
            output: color.output, errors: color.errors, isJSON: json,
            namesRecordings: recordings.count > 1)
        let replay = LogReplay(
            points: try log.map { (text) throws(FlowError) in
                try LogPoint(parsing: text, where: condition)
            }, printer: printer, goesOn: flow != nil)
        var steps = 0
        var isAsRecorded = true
        for path in recordings {
            let recording = try FlowRecording(path: path)
            let played = try await replay.play(
                recording, named: path, of: .file(try flowPath(recording)), options)
            steps += played.steps
            isAsRecorded = isAsRecorded && played.isAsRecorded
        }
        printer.printEnd(steps: steps, recordings: recordings.count)
        return isAsRecorded || flow != nil ? .success : .failed
    }

    /// The flow to play: the given or the recorded one.
    private func flowPath(_ recording: FlowRecording) throws(FlowError) -> String {
        if let flow { return flow }
        guard let file = recording.header.file, resolvedPath(file) != nil else {
            throw FlowError(
                recording.header.file == nil ? .noFileInRecording : .fileOfRecordingAway,
                recording.header.file ?? "", "--flow")
        }
        return file
    }

    private func find(
        _ expression: String, in recording: FlowRecording, _ session: FlowSession,
        _ printer: ReplayPrinter
    ) async throws(FlowError) -> ExitStatus {
        var found: Int?
        _ = try await recording.replay(in: session) { step, session, _ throws(FlowError) in
            let value = try await session.value(of: expression)
            if value != .null, value != .bool(false) { found = step }
            return found == nil
        }
        guard let found else {
            printer.note("the expression holds at no step")
            return .failed
        }
        let step = found == 0 ? nil : recording.steps[found - 1]
        printer.printFound(
            step?.number ?? 0, step?.input, rendering: await session.rendering,
            of: recording.header.flow)
        await session.close()
        return .success
    }
}
