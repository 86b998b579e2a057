import FlowPrinting
import FlowREPL
import Terminal

struct TerminalREPL {
    private let options: REPL.Options
    private let keyboard: Keyboard

    init(_ options: REPL.Options) {
        var options = options
        let keyboard = Keyboard { [interrupt = options.interrupt] in interrupt.stop() }
        options.columns = { Keyboard.columns }
        options.onNews = { keyboard.post(.news) }
        self.options = options
        self.keyboard = keyboard
    }

    /// Runs until the user leaves.
    func run(
        banner: [String], showsHeadline: Bool, open: (REPL.Options) async throws -> REPL
    ) async throws -> ExitStatus {
        let repl = try await open(options)
        keyboard.start()
        write(REPLMessage.result(banner))
        write(await repl.news())
        if showsHeadline { write(REPLMessage.result([await repl.headline()])) }
        let status = await serve(repl)
        keyboard.stop()
        try await repl.close()
        return status
    }

    private func serve(_ repl: REPL) async -> ExitStatus {
        // The second Ctrl-C on an empty line leaves.
        var wasInterrupted = false
        await ask(repl)
        for await input in keyboard.inputs {
            switch input {
            case .news:
                let news = await repl.news()
                // First, so that names in the output can be completed.
                keyboard.complete(by: await repl.completer().complete)
                write(news)
                if let status = await end(repl) { return status }
                continue
            case .line(let line):
                wasInterrupted = false
                let reply = await repl.respond(to: line)
                if reply.clearsScreen { keyboard.clear() }
                if reply.isPaged {
                    if let input = await page(reply.messages) { return status(of: input) }
                } else {
                    write(reply.messages)
                }
                if reply.isOver { return .success }
                if let status = await end(repl) { return status }
            case .interrupted(let isEmpty):
                let isUnfinished = await repl.isUnfinished
                await repl.drop()
                if isEmpty, !isUnfinished {
                    if wasInterrupted { return .success }
                    write([.notice("(Ctrl-C again leaves, and so does Ctrl-D)\n")])
                }
                wasInterrupted = isEmpty && !isUnfinished
            case .end: return .success
            case .terminated: return .terminated
            }
            await ask(repl)
        }
        return .success
    }

    /// The exit status if the session has ended and all earlier messages were written.
    private func end(_ repl: REPL) async -> ExitStatus? {
        guard let ending = await repl.ending else { return nil }
        write(await repl.news() + [ending.message])
        return ending.status
    }

    private func ask(_ repl: REPL) async {
        keyboard.complete(by: await repl.completer().complete)
        await keyboard.ask(repl.prompt, for: repl.isUnfinished ? .rest : .entry)
    }

    /// Shows a long text a screen at a time. Returns the input that ends the program, if one came.
    private func page(_ messages: [REPLMessage]) async -> Keyboard.Input? {
        var lines = messages.flatMap {
            $0.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        }
        while true {
            let count = max(Keyboard.rows - 2, 1)
            keyboard.show(lines.prefix(count).map { $0 + "\n" }.joined())
            lines.removeFirst(min(count, lines.count))
            if lines.isEmpty { return nil }
            keyboard.ask("(\(lines.count) more; Enter goes on, q ends) ", for: .answer)
            reading: for await input in keyboard.inputs {
                switch input {
                // Told before the next prompt.
                case .news: continue
                case .line(let line):
                    if line.contains("q") { return nil }
                    break reading
                case .interrupted: return nil
                case .end, .terminated: return input
                }
            }
        }
    }

    private func status(of input: Keyboard.Input) -> ExitStatus {
        if case .terminated = input { .terminated } else { .success }
    }

    private func write(_ messages: [REPLMessage]) {
        for message in messages {
            // Standard error may be redirected.
            if message.kind == .notice, !OutputStream.standardError.isTerminal {
                OutputStream.standardError.write(message.text)
            } else {
                keyboard.show(message.text)
            }
        }
    }
}
