import FlowPrinting
import PlainValue
import Terminal
import WorkflowKit
import WorkflowLua

extension REPL {
    /// Does what a command says, which begins with a dot.
    func obey(_ text: String, _ reply: inout REPLReply) async throws(FlowError) {
        let words = text.dropFirst().split(separator: " ", maxSplits: 1)
        let command = try DotCommand(words.first.map(String.init) ?? "")
        let argument = words.count > 1 ? words[1].trimmed : ""
        if command.arguments.isEmpty, !argument.isEmpty {
            throw FlowError(.badAction, ".\(command.rawValue) takes nothing after it")
        }
        switch command {
        case .help: reply.say(try help(argument))
        case .actions: reply.say(await actions())
        case .tree: reply.say(await tree())
        case .state: try await showState(argument, &reply)
        case .rendering: show(await session.rendering, &reply)
        case .timeline: reply.say(try await timeline())
        case .undo: try await go(.undo, &reply)
        case .redo: try await go(.redo, &reply)
        case .goto: try await go(to: try number(argument, "goto"), &reply)
        case .diff: reply.say(try await diff(argument))
        case .branch: try await branch(&reply)
        case .workers: reply.say(await workers())
        case .trace: reply.say(try trace())
        case .locals: reply.say(try locals())
        case .reload:
            guard let policy: ReloadPolicy = Self.reloads[argument] else {
                throw FlowError(
                    .badAction, ".reload takes nothing after it, or replay",
                    help: ".help reload says what that does")
            }
            try await session.reload(policy)
            reply.messages += await news()
            reply.say([
                policy == .keepingState
                    ? "Reloaded; the state is as before."
                    : "Reloaded; the inputs were played again."
            ])
        case .save: try await save(to: argument, &reply)
        case .snapshot: try await saveSnapshot(to: argument, &reply)
        case .load: try await load(argument, &reply)
        case .test: try await writeTest(argument, &reply)
        case .clear: reply.clearsScreen = true
        case .exit: reply.isOver = true
        }
    }

    private static var reloads: [String: ReloadPolicy] {
        ["": .keepingState, "replay": .replayingInputs]
    }

    func number(_ text: String, _ command: String) throws(FlowError) -> Int {
        guard let number = Int(text) else {
            throw FlowError(
                .badAction, ".\(command) takes the number of a step",
                help: ".timeline shows the steps")
        }
        return number
    }

    private func help(_ word: String) throws(FlowError) -> [String] {
        guard word.isEmpty else {
            let command = try DotCommand(word.first == "." ? String(word.dropFirst()) : word)
            let usage = ".\(command.rawValue) \(command.arguments)".trimmed
            return ["\(settings.style.bold(usage))  \(command.summary)"]
                + (command.details.map { wrapped(ProgramName.typed.inserted(in: $0)) } ?? [])
        }
        let rows = DotCommand.allCases.map { command in
            (".\(command.rawValue) \(command.arguments)".trimmed, command.summary)
        }
        let inputs = [
            ("add", "sends an action"),
            ("add{ text = \"milk\" }", "sends an action with fields; JSON works, too"),
            ("items[1].remove", "sends a sink of the rendering, by its path"),
            (
                "= expression",
                "evaluates Lua with state, rendering, props, _ (the last output), _error"
            ),
        ]
        let width = (rows + inputs).map { displayWidth($0.0) }.max() ?? 0
        return (inputs + rows).map { name, text in
            "  \(settings.style.cyan(name.padded(to: width)))  \(text)"
        } + ["The beginning of a command's name will do; Tab completes what is typed."]
    }

    private func wrapped(_ text: String) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, displayWidth(last) + displayWidth(word) < settings.columns() {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}

extension REPLReply {
    mutating func say(_ lines: [String]) { messages += REPLMessage.result(lines) }
}
