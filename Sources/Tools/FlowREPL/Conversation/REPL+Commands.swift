import FlowOrigins
import PlainValue
import Terminal
import Workflow
import WorkflowKit
import WorkflowLua

extension REPL {
    /// Executes a dot command; `frame` is where a debugger has stopped.
    func execute(
        _ text: String, _ reply: inout REPLReply, in frame: FlowFrame? = nil
    ) async throws(FlowError) {
        let (command, argument) = try DotCommand.parse(text)
        let view = view
        switch command {
        case .help:
            reply.isPaged = true
            reply.say(
                try DotCommand.help(
                    argument, in: DotCommand.allCases, options.style, options.columns()))
        case .actions, .tree, .state, .rendering, .workers:
            reply.say(try await view.execute(command, argument) ?? [])
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
        case .retry: try await retry(argument, &reply)
        case .mute: reply.say(try await mute(argument))
        case .trace: reply.say(try trace())
        case .locals: reply.say(try locals())
        case .reload:
            guard let policy: ReloadPolicy = Self.reloads[argument] else {
                throw FlowError(.badReload)
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
        var view = SessionView(of: session, style: options.style, columns: options.columns())
        view.fields = knownFields
        view.isReplay = opened.isReplay
        return view
    }

    /// Gives again what a worker gave in vain; without a name, what all workers did.
    private func retry(_ name: String, _ reply: inout REPLReply) async throws(FlowError) {
        var (count, failure): (Int, FlowError?) = (0, nil)
        let paths: [NodePath?] = name.isEmpty ? [nil] : try await workers(named: name)
        for path in paths {
            do throws(FlowError) { count += try await session.retry(path) } catch {
                failure = failure ?? error
            }
        }
        reply.messages += await news()
        // The news report an error of the flow.
        if let failure, failure.code == .misuse { throw failure }
        if failure == nil, count == 0 { reply.say(["No output is kept that was refused."]) }
    }

    /// The paths of the declared workers with a name, or a name and a key.
    private func workers(named name: String) async throws(FlowError) -> [NodePath] {
        let nodes = await session.nodes()?.all ?? []
        let known = nodes.flatMap(\.workers).flatMap { [$0.name, $0.title] }
        let paths = nodes.flatMap { node in
            node.workers.filter { $0.name == name || $0.title == name }.map { worker in
                NodePath(node.path.components + [.init(name: worker.name, key: worker.key)])
            }
        }
        guard !paths.isEmpty else {
            throw FlowError(.noWorker, name, didYouMean(name, among: known))
        }
        return paths
    }

    /// Mutes or unmutes a worker; without a name, lists the muted ones.
    private func mute(_ name: String) async throws(FlowError) -> [String] {
        guard !name.isEmpty else {
            let muted = narrator.muted.sorted().map { "  " + printable($0) }
            return muted.isEmpty ? ["No worker is muted."] : muted
        }
        if narrator.muted.remove(name) != nil { return ["  \(printable(name)) is told of again."] }
        _ = try await workers(named: name)
        narrator.muted.insert(name)
        return ["  \(printable(name)) is muted; .mute \(printable(name)) tells of it again."]
    }
}

extension REPLReply {
    mutating func say(_ lines: [String]) { messages += REPLMessage.result(lines) }
}
