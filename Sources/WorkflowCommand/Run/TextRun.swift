import PlainValue
import WorkflowKit
import WorkflowLua

/// A run for people and simple scripts: renderings and outputs as text, actions one a line.
struct TextRun {
    let isQuiet: Bool
    let output: OutputStyle
    let errors: OutputStyle
    private let watch = OutputWatch()

    init(isQuiet: Bool, output: OutputStyle, errors: OutputStyle) {
        self.isQuiet = isQuiet
        self.output = output
        self.errors = errors
    }

    /// Plays a flow to the end of the run.
    func play(_ plan: RunPlan) async -> ExitStatus {
        let session = FlowSession(options: plan.options, onEvent: eventPrinter(plan.inputs))
        plan.inputs.interrupt.watch(session)
        do throws(FlowError) {
            try await session.start(plan.source, restoring: plan.snapshot)
        } catch {
            return plan.inputs.requestedEnd?.status ?? ExitStatus(error)
        }
        let (end, hasFailed) = await play(session, plan)
        var status = end.status
        do throws(Refusal) {
            try await plan.save(session)
        } catch {
            print(error.error)
            status = error.status
        }
        await session.close()
        if end == .timeout {
            print(FlowError(.timeLimit, "the run took longer than its --timeout"))
        }
        if let end = watch.reportedEnd, end.status != .success { return end.status }
        return status == .success && hasFailed ? .flow : status
    }

    private func eventPrinter(_ inputs: RunInputs) -> @Sendable (FlowEvent) -> Void {
        let printer = RenderingPrinter(style: output.style, isForTerminal: output.stream.isTerminal)
        let (output, errors, isQuiet, watch) = (output, errors, isQuiet, watch)
        let name = NameBox()
        return { event in
            switch event.kind {
            case .ready(let header): name.value = header.flow
            case .rendering(let rendering, _, _):
                if isQuiet { break }
                watch.note(output.stream.write(printer.rendering(rendering, of: name.value)))
            case .output(let value):
                watch.note(output.stream.write(printer.output(value, of: name.value)))
                inputs.post(.output)
            case .log(_, let message, let location):
                errors.stream.write(printer.log(message, location))
            case .error(let error):
                errors.stream.write(ErrorPrinter(style: errors.style).text(error))
            default: break
            }
        }
    }

    private func print(_ error: FlowError) {
        errors.stream.write(ErrorPrinter(style: errors.style).text(error))
    }

    private func play(
        _ session: FlowSession, _ plan: RunPlan
    ) async -> (RunEnd, hasFailed: Bool) {
        let prompt = Prompt(output: output)
        var hasFailed = false
        let loop = RunLoop(session: session, plan: plan, watch: watch)
        let end = await loop.run {
            await prompt.show(for: session)
        } serve: { line in
            if let line {
                do throws(FlowError) {
                    try await serve(line, session, prompt)
                } catch {
                    hasFailed = true
                }
            } else {
                await session.record(.error(FlowError(.badAction, "the line is no UTF-8 text")))
                hasFailed = true
            }
            return nil
        }
        if end != .finished { prompt.leave() }
        return (end, hasFailed)
    }

    private func serve(
        _ line: String, _ session: FlowSession, _ prompt: Prompt
    ) async throws(FlowError) {
        if line.trimmed.isEmpty { return }
        try await parse(line, session, prompt).send(to: session)
    }

    /// The action on a line; an error of the line itself is printed like any other.
    private func parse(
        _ line: String, _ session: FlowSession, _ prompt: Prompt
    ) async throws(FlowError) -> ActionText {
        do throws(FlowError) {
            if let sink = try await prompt.choice(line, in: session) { return .sink(sink) }
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
