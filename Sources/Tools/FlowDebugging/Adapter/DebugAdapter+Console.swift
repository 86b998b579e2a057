import FlowOrigins
import LuaVM
import PlainValue
import WorkflowKit
import WorkflowLua

extension DebugAdapter {
    /// True if a text is a dot command.
    static func isCommand(_ text: String) -> Bool {
        text.first == "." && text.dropFirst().first?.isLetter ?? true
    }

    static func isCommand(_ request: DebugRequest) -> Bool {
        request.command == "evaluate" && request.arguments["context"]?.string == "repl"
            && isCommand((request.arguments["expression"]?.string ?? "").trimmingSpaces)
    }

    /// The output of a command at the current step, in the frame that the request's arguments name.
    func execute(_ text: String, _ arguments: Value) async throws -> Value {
        guard let console else { throw FlowError(.noSession) }
        let (inputs, step) = place
        let frame = isStopped ? try stoppedFrame(arguments) : nil
        let said = try await console.respond(to: text, after: inputs, at: step, in: frame)
        return ["result": .string(said), "variablesReference": 0]
    }

    /// The requested frame; `nil` where an input failed, as it made no step.
    private func stoppedFrame(_ arguments: Value) throws -> FlowFrame? {
        let debugger = try stopped()
        let input = debugger.replica.inputs[debugger.moment.input]
        let lines = try debugger.lines
        let content = try content(ofFrame: arguments)
        guard input.isStep, lines.first == 0, let place = try frame(arguments),
            lines.lines.indices.contains(place.line), content.frames.indices.contains(place.level)
        else { return nil }
        let line = lines.lines[place.line]
        let location = lines.location(of: place.line)
        let hits = lines.lines[...place.line].count {
            $0.call == line.call && $0.line == line.line && $0.file == line.file
        }
        let frame = content.frames[place.level]
        return FlowFrame(
            step: input.step, node: content.node, phase: content.phase, call: Int(line.call),
            location: location, hits: hits, level: place.level,
            names: Set((frame.locals + frame.upvalues).map(\.name)))
    }

    func completions(of typed: String) async -> Value {
        // It would wait for the running command.
        guard let console, !isCommandUnderWay else { return ["targets": []] }
        let (inputs, step) = place
        let (word, candidates) = await console.candidates(for: typed, after: inputs, at: step)
        return Self.targets(candidates, after: typed, word: word, isWhole: true)
    }

    /// The inputs so far and the current step: the last one unless the debugger has stopped.
    private var place: (inputs: [FlowInput], step: Int) {
        guard let debugger else { return ([], 0) }
        let played = debugger.replica.inputs
        // A failed input fails again. An input that was cut short may not end.
        let inputs = played.filter { $0.isStep || !$0.isCut }.compactMap(\.input)
        guard isStopped, played.indices.contains(debugger.moment.input) else {
            return (inputs, played.last { $0.isStep }?.step ?? 0)
        }
        let here = played[debugger.moment.input]
        return (inputs, here.isStep ? here.step : here.after)
    }

    /// Candidates in the client's format, which replace the word that is being typed: complete
    /// texts if `isWhole`, else names of variables or fields.
    static func targets(
        _ names: [String], after typed: String, word: String, isWhole: Bool = false
    ) -> Value {
        [
            "targets": .list(
                of: names.map { name in
                    var word = word
                    var target: Value.Record = ["label": .string(name)]
                    // A field that is not a Lua name is written in brackets without a dot.
                    if !isWhole, !LuaText.isName(name) {
                        target["text"] = .string("\(ValuePath([.key(name)]))")
                        word = "." + word
                    }
                    target["start"] = .int(typed.utf16.count - word.utf16.count)
                    target["length"] = .int(word.utf16.count)
                    return .record(target)
                })
        ]
    }
}
