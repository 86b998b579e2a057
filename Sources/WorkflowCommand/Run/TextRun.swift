import PlainValue
import WorkflowKit
import WorkflowLua

/// A run for people and simple scripts: renderings and outputs as text, actions one a line.
struct TextRun {
    let keepsGoing: Bool
    let isQuiet: Bool
    let output: OutputStyle
    let errors: OutputStyle

    func play(
        _ source: FlowSource, options: FlowOptions, inputs: RunInputs, takesInput: Bool
    ) async -> ExitStatus {
        let reader = ReaderWatch()
        let printer = RenderingPrinter(style: output.style, isForTerminal: output.stream.isTerminal)
        let (output, errors, isQuiet) = (output, errors, isQuiet)
        let name = NameBox()
        let onEvent: @Sendable (FlowEvent) -> Void = { event in
            if case .ready(let flow, _) = event.kind { name.value = flow }
            let isGood =
                switch event.kind {
                case .rendering(let rendering, _, _, _):
                    isQuiet || output.stream.write(printer.rendering(rendering, of: name.value))
                case .output(let value): output.stream.write(printer.output(value, of: name.value))
                case .log(_, let message, let location):
                    errors.stream.write(printer.log(message, location))
                case .error(let error):
                    errors.stream.write(ErrorPrinter(style: errors.style).text(error))
                default: true
                }
            if !isGood { reader.noteGone() }
        }
        let session = FlowSession(options: options, onEvent: onEvent)
        do throws(FlowError) {
            try await session.start(source)
        } catch {
            return ExitStatus(error)
        }
        let (end, hasFailed) = await play(
            session, inputs: inputs, takesInput: takesInput, reader: reader)
        await session.close()
        if end == .timeout {
            _ = errors.stream.write(
                ErrorPrinter(style: errors.style).text(
                    FlowError(.timeLimit, "the run took longer than its --timeout")))
        }
        return end.status == .success && hasFailed ? .flow : end.status
    }

    private func play(
        _ session: FlowSession, inputs: RunInputs, takesInput: Bool, reader: ReaderWatch
    ) async -> (RunEnd, hasFailed: Bool) {
        guard takesInput else { return (.eof, false) }
        let prompt = Prompt(output: output)
        inputs.readLines()
        var hasFailed = false
        await prompt.show(for: session)
        for await input in inputs.stream {
            switch input {
            case .line(let line):
                if line.trimmed.isEmpty { break }
                do throws(FlowError) {
                    if let sink = await prompt.choice(line, in: session) {
                        try await session.send(sink: sink)
                    } else {
                        let action = try await parse(line, session)
                        try await action.send(to: session)
                    }
                } catch {
                    hasFailed = true
                }
                if await !session.takeOutputs().isEmpty, !keepsGoing {
                    return (.finished, hasFailed)
                }
            case .end:
                prompt.leave()
                return (.eof, hasFailed)
            case .signal(let number):
                prompt.leave()
                return (RunEnd(signal: number), hasFailed)
            case .timeout:
                prompt.leave()
                return (.timeout, hasFailed)
            }
            if reader.isGone { return (.eof, hasFailed) }
            await prompt.show(for: session)
        }
        return (.eof, hasFailed)
    }

    /// The action on a line; an error of the line itself is printed like any other.
    private func parse(_ line: String, _ session: FlowSession) async throws(FlowError) -> ActionText {
        do throws(FlowError) {
            return try await ActionText(line, session: session)
        } catch {
            await session.record(.error(error))
            throw error
        }
    }
}

/// The flow's name, learnt from the first event; only the session writes and reads it.
///
/// `@unchecked Sendable` because a session hands out its events one at a time.
private final class NameBox: @unchecked Sendable {
    var value = ""
}
