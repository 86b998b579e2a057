import WorkflowKit
import WorkflowLua

/// A REPL that reads its commands from a pipe or a file: nothing is drawn.
struct PipedREPL {
    private let settings: REPL.Settings
    private let inputs: RunInputs
    private let watch = OutputWatch()

    init(_ settings: REPL.Settings) {
        var settings = settings
        let inputs = RunInputs(timeout: nil, interrupt: settings.interrupt)
        self.inputs = inputs
        settings.onNews = { inputs.post(.output) }
        self.settings = settings
    }

    /// Runs to the end of the input, `.exit`, or a signal.
    func run(_ source: FlowSource?) async throws(Refusal) -> ExitStatus {
        let repl = try await REPL.open(source, settings: settings)
        write(await repl.news())
        inputs.readLines()
        let end = await serve(repl)
        try await repl.close()
        if let end = watch.reportedEnd { return end.status }
        guard end.status == .success else { return end.status }
        return await repl.hasFailed ? .flow : .success
    }

    private func serve(_ repl: REPL) async -> RunEnd {
        for await input in inputs.stream {
            switch input {
            case .line(let line):
                let reply = await repl.take(line)
                write(reply.pieces)
                if reply.isOver { return .quit }
                inputs.askForLine()
            case .garbledLine:
                write(await repl.refuseGarbledLine().pieces)
                inputs.askForLine()
            case .end:
                write(await repl.finish().pieces)
                return .eof
            case .signal(let number):
                inputs.serveEnd()
                return RunEnd(signal: number)
            case .output: write(await repl.news())
            default: break
            }
            if let end = watch.end { return end }
        }
        return .eof
    }

    private func write(_ pieces: [REPLPiece]) {
        for piece in pieces {
            switch piece.kind {
            case .result: watch.note(OutputStream.standardOutput.write(piece.text))
            case .message: OutputStream.standardError.write(piece.text)
            }
        }
    }
}
