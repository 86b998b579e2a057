import FlowOrigins
import FlowPrinting
import WorkflowKit
import WorkflowLua

// The commands that only read, for debuggers.
extension REPL {
    /// Plays a recording and hides its secrets.
    static func ofPast(
        _ recording: FlowRecording, of source: FlowSource, options: Options
    ) async throws(FlowError) -> REPL {
        var (opened, _) = try await OpenSession.replay(
            recording, of: source, options: options, isKept: false)
        if let session = opened.session as? FlowSession {
            opened.session = MaskedSession(session: session, secrets: await session.secrets)
        }
        let repl = REPL(options, opened)
        _ = await repl.news()
        return repl
    }

    /// Executes a command that only reads; `frame` is where a debugger has stopped.
    func look(
        _ line: String, at step: Int, in frame: FlowFrame? = nil
    ) async throws(FlowError) -> [String] {
        let (command, argument) = try DotCommand.parse(line)
        guard DotCommand.ofDebuggers.contains(command) else {
            throw FlowError(.notInDebugger, command.rawValue)
        }
        try await session.go(to: step)
        switch command {
        case .help:
            return try DotCommand.help(
                argument, in: DotCommand.ofDebuggers, options.style, options.columns())
        case .log: return try await hits(of: argument)
        default:
            var reply = REPLReply()
            try await execute(line, &reply, in: frame)
            return reply.messages.flatMap { message in
                message.text.split(separator: "\n", omittingEmptySubsequences: false)
                    .map(String.init).dropLast()
            }
        }
    }

    func completerOfPast(at step: Int) async -> Completer {
        // The names of another step are better than none.
        try? await session.go(to: step)
        var completer = await completer()
        completer.commands = DotCommand.ofDebuggers
        return completer
    }

    /// The values at a line each time that it ran.
    private func hits(of argument: String) async throws(FlowError) -> [String] {
        guard !argument.isEmpty else { throw FlowError(.badPoint) }
        let hits = try await session.log(
            [try Self.point(argument)], steps: 0...session.status.stepCount)
        guard !hits.isEmpty else { return ["  The line was not run so far."] }
        var printer = HitPrinter(style: options.style)
        return [printer.header()] + hits.map { printer.line($0) }
    }
}
