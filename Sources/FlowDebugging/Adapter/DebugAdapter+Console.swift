import PlainValue
import WorkflowKit
import WorkflowLua

// The commands of the console that begin with a dot.
extension DebugAdapter {
    /// Whether a text of the console is one.
    static func isCommand(_ text: String) -> Bool {
        text.first == "." && text.dropFirst().first?.isLetter ?? true
    }

    /// What a command says of the step that is looked at.
    func obey(_ text: String) async throws -> Value {
        guard let console else {
            throw DebugRefusal(message: "There is nothing to debug yet: launch or attach first.")
        }
        let (inputs, step) = place
        let said = try await console.respond(to: text, after: inputs, at: step)
        return ["result": .string(said), "variablesReference": 0]
    }

    /// What a command can go on with.
    func completions(of typed: String) async -> Value {
        guard let console else { return ["targets": []] }
        let (inputs, step) = place
        let (word, candidates) = await console.candidates(for: typed, after: inputs, at: step)
        return Self.targets(candidates, after: typed, word: word, isWhole: true)
    }

    /// The inputs so far, and the number of the step that is looked at: the last one unless it has stopped.
    private var place: (inputs: [FlowInput], step: Int) {
        guard let debugger else { return ([], 0) }
        let played = debugger.replica.inputs
        // What failed fails again; what was cut short may not end.
        let inputs = played.filter { $0.isStep || !$0.isCut }.compactMap(\.input)
        guard isStopped, played.indices.contains(debugger.moment.input) else {
            return (inputs, played.last { $0.isStep }?.step ?? 0)
        }
        let here = played[debugger.moment.input]
        return (inputs, here.isStep ? here.step : here.after)
    }

    /// Candidates as clients want them, in place of the word that is being typed.
    ///
    /// - Parameter isWhole: Whether they are typed as they are; else they are names of variables and fields.
    static func targets(
        _ names: [String], after typed: String, word: String, isWhole: Bool = false
    ) -> Value {
        [
            "targets": .list(
                Value.List(
                    names.map { name in
                        var word = word
                        var target: Value.Record = ["label": .string(name)]
                        // A field that is no name of Lua stands in brackets, without a dot before.
                        if !isWhole, !LuaText.isName(name) {
                            target["text"] = .string("\(ValuePath([.key(name)]))")
                            word = "." + word
                        }
                        target["start"] = .int(typed.utf16.count - word.utf16.count)
                        target["length"] = .int(word.utf16.count)
                        return .record(target)
                    }))
        ]
    }
}
