import FlowPrinting
import FlowREPL
import PlainValue
import Synchronization
import Terminal
import WorkflowKit
import WorkflowLua

/// A run for people and simple scripts: renderings and outputs as text, actions one a line.
struct TextRun {
    let isQuiet: Bool
    let output: OutputStyle
    let errors: OutputStyle
    /// The terminal of a person who watches; `nil` for one record a line.
    let terminal: RunTerminal?
    private let watch = OutputFailures()
    private let failures = Failures()

    init(isQuiet: Bool, output: OutputStyle, errors: OutputStyle, terminal: RunTerminal?) {
        self.isQuiet = isQuiet
        self.output = output
        self.errors = errors
        self.terminal = terminal
    }

    /// Plays a flow to the end of the run.
    func play(_ configuration: RunConfiguration) async -> ExitStatus {
        let session = FlowSession(
            options: configuration.options, onEvent: eventPrinter(configuration.inputs))
        configuration.inputs.interrupt.watch(session)
        do throws(Refusal) {
            try await session.listen(ifAskedAt: configuration.socket)
        } catch {
            terminal?.leave()
            say(ErrorPrinter(style: errors.style).text(error.error))
            return error.status
        }
        do throws(FlowError) {
            try await session.start(configuration.source, restoring: configuration.snapshot)
        } catch {
            terminal?.leave()
            return configuration.inputs.requestedEnd?.status ?? ExitStatus(error)
        }
        let end = await play(session, configuration)
        terminal?.leave()
        var status = end.status
        do throws(Refusal) {
            try await configuration.save(session)
        } catch {
            say(ErrorPrinter(style: errors.style).text(error.error))
            status = error.status
        }
        await session.close()
        if end == .timeout {
            let error = FlowError(.timeLimit, "the run took longer than its --timeout")
            say(ErrorPrinter(style: errors.style).text(error))
        }
        if let end = watch.reportedEnd, end.status != .success { return end.status }
        return status == .success && failures.areThere ? .flow : status
    }

    private func eventPrinter(_ inputs: RunInputs) -> @Sendable (FlowEvent) -> Void {
        let printer = RenderingPrinter(style: output.style, isForTerminal: false)
        let (output, errors, isQuiet, terminal) = (output, errors, isQuiet, terminal)
        let (watch, failures) = (watch, failures)
        let say = say
        return { event in
            terminal?.show(event)
            switch event.kind {
            case .rendering(let rendering, _, _) where terminal == nil && !isQuiet:
                watch.record(output.stream.write(printer.rendering(rendering, of: "")))
            case .output(let value):
                if terminal == nil {
                    watch.record(output.stream.write(printer.output(value, of: "")))
                }
                inputs.post(.output)
            case .log(_, let message, let location):
                say(
                    RenderingPrinter(style: errors.style, isForTerminal: false)
                        .log(message, location))
            case .error(let error):
                let printer = ErrorPrinter(style: errors.style)
                let text = printer.text(error)
                say(failures.isNew(text) ? text : printer.again(error))
            default: break
            }
        }
    }

    /// Says something on standard error.
    private func say(_ text: String) {
        if let terminal, errors.stream.isTerminal {
            terminal.show(text)
        } else {
            errors.stream.write(text)
        }
    }

    private func play(_ session: FlowSession, _ configuration: RunConfiguration) async -> RunEnd {
        await RunLoop(session: session, configuration: configuration, watch: watch).run {
            await terminal?.ask(for: session)
        } serve: { line in
            await serve(line, session)
            return nil
        }
    }

    private func serve(_ line: String?, _ session: FlowSession) async {
        failures.forget()
        do throws(FlowError) {
            guard let action = try await parse(line, session) else { return }
            // What goes wrong from here on is an event of the session.
            do throws(FlowError) { try await action.send(to: session) } catch {}
        } catch {
            await session.record(.error(error))
        }
    }

    /// The action on a line; nothing for an empty one.
    private func parse(
        _ line: String?, _ session: FlowSession
    ) async throws(FlowError) -> ActionText? {
        guard let line else { throw FlowError(.badAction, "the line is no UTF-8 text") }
        if let sink = try terminal?.sink(typedAs: line) { return .sink(sink) }
        return line.trimmed.isEmpty ? nil : try await ActionText(line, session: session)
    }
}

/// The failures of a run, be they caused by a line or by a worker.
private final class Failures: Sendable {
    private struct State {
        var areThere = false
        /// The last one since the last line.
        var last: String?
    }

    private let state = Mutex(State())

    var areThere: Bool { state.withLock(\.areThere) }

    /// True if a failure is another than the one before, which is remembered; a worker that goes on
    /// may bring the same one again and again.
    func isNew(_ text: String) -> Bool {
        state.withLock { state in
            defer { state = State(areThere: true, last: text) }
            return text != state.last
        }
    }

    /// The next failure is told in full.
    func forget() { state.withLock { $0.last = nil } }
}
