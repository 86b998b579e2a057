import FlowPrinting
import FlowREPL
import Terminal

/// A REPL that reads commands from a pipe or a file, without drawing.
struct PipedREPL {
    private let options: REPL.Options
    private let inputs: RunInputs
    private let watch = OutputFailures()

    init(_ options: REPL.Options) {
        var options = options
        let inputs = RunInputs(timeout: nil, interrupt: options.interrupt)
        self.inputs = inputs
        options.onNews = { inputs.post(.output) }
        options.cutsOutputs = false
        self.options = options
    }

    /// Runs to the end of the input, `.exit`, or a signal.
    func run(open: (REPL.Options) async throws -> REPL) async throws -> ExitStatus {
        let repl = try await open(options)
        write(await repl.news())
        inputs.readLines()
        let status = await serve(repl)
        try await repl.close()
        if let end = watch.reportedEnd { return end.status }
        guard status == .success else { return status }
        return await repl.hasFailed ? .flow : .success
    }

    private func serve(_ repl: REPL) async -> ExitStatus {
        for await input in inputs.stream {
            switch input {
            case .line(let line):
                let reply = await repl.respond(to: line)
                write(reply.messages)
                if reply.isOver { return .success }
                inputs.askForLine()
            case .garbledLine:
                write(await repl.refuseGarbledLine().messages)
                inputs.askForLine()
            case .end:
                write(await repl.finish().messages)
                return .success
            case .signal(let number):
                inputs.serveEnd()
                return RunEnd(signal: number).status
            case .output: write(await repl.news())
            default: break
            }
            if let end = watch.end { return end.status }
            if let ending = await repl.ending {
                // Earlier news is printed first.
                write(await repl.news() + [ending.message])
                return ending.status
            }
        }
        return .success
    }

    private func write(_ messages: [REPLMessage]) {
        for message in messages {
            switch message.kind {
            case .result: watch.record(OutputStream.standardOutput.write(message.text))
            case .notice: OutputStream.standardError.write(message.text)
            }
        }
    }
}
