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
        return Self.targets(candidates, after: typed, word: word)
    }

    /// The steps so far, and the number of the one that is looked at: the last one unless it has stopped.
    private var place: (inputs: [FlowInput], step: Int) {
        guard let debugger else { return ([], 0) }
        let played = debugger.replica.inputs
        let steps = played.filter(\.isStep).compactMap(\.input)
        guard isStopped, played.indices.contains(debugger.moment.input) else {
            return (steps, steps.count)
        }
        let here = played[debugger.moment.input]
        return (steps, here.isStep ? here.step : here.after)
    }

    /// Candidates as clients want them, in place of the word that is being typed.
    static func targets(_ names: [String], after typed: String, word: String) -> Value {
        [
            "targets": .list(
                Value.List(
                    names.map { name in
                        [
                            "label": .string(name),
                            "start": .int(typed.utf16.count - word.utf16.count),
                            "length": .int(word.utf16.count),
                        ]
                    }))
        ]
    }
}
