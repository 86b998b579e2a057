import FlowOrigins
import PlainValue
import Terminal
import WorkflowKit
import WorkflowLua

extension REPL {
    /// Executes a dot command.
    ///
    /// - Parameter frame: The frame where a debugger has stopped.
    func obey(
        _ text: String, _ reply: inout REPLReply, in frame: FlowFrame? = nil
    ) async throws(FlowError) {
        let (command, argument) = try DotCommand.parse(text)
        let view = view
        switch command {
        case .help:
            reply.say(
                try DotCommand.help(
                    argument, in: DotCommand.allCases, settings.style, settings.columns()))
        case .actions: reply.say(await view.actions())
        case .tree: reply.say(await view.tree())
        case .state: reply.say(try await view.state(of: argument))
        case .rendering: reply.say(try await view.rendering(at: argument))
        case .timeline: reply.say(try await timeline())
        case .step: reply.say(try await describe(step: try await view.step(argument, for: "step")))
        case .undo: try await go(to: try await view.stepBack(argument), &reply)
        case .redo: try await go(to: try await view.stepForward(argument), &reply)
        case .goto: try await go(to: try await view.step(argument, for: "goto"), &reply)
        case .diff: reply.say(try await diff(argument))
        case .branch: try await branch(&reply)
        case .why where argument.hasPrefix("not "):
            reply.say(try await absence(of: String(argument.dropFirst(4)).trimmed))
        case .why: reply.say(try await origin(of: argument, in: frame))
        case .log: reply.say(try await log(argument))
        case .workers: reply.say(await view.workers())
        case .mute: reply.say(try await mute(argument))
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

    private var view: SessionView {
        var view = SessionView(of: session, style: settings.style, columns: settings.columns())
        view.fields = knownFields
        view.isReplay = opened.isReplay
        return view
    }

    /// Mutes or unmutes a worker; without a name, lists the muted ones.
    private func mute(_ name: String) async throws(FlowError) -> [String] {
        guard !name.isEmpty else {
            let muted = narrator.muted.sorted().map { "  " + printable($0) }
            return muted.isEmpty ? ["No worker is muted."] : muted
        }
        if narrator.muted.remove(name) != nil { return ["  \(printable(name)) is told of again."] }
        let workers = (await session.nodes()?.all ?? []).flatMap(\.workers)
        let known = workers.map(\.name) + workers.map(\.title)
        guard known.contains(name) else {
            throw FlowError(
                .unknownWorker,
                "no node declares a worker '\(name)'" + didYouMean(name, among: known),
                help: ".workers shows them")
        }
        narrator.muted.insert(name)
        return ["  \(printable(name)) is muted; .mute \(printable(name)) tells of it again."]
    }
}

extension REPLReply {
    mutating func say(_ lines: [String]) { messages += REPLMessage.result(lines) }
}
