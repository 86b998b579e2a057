import FlowPrinting
import FlowREPL
import Synchronization
import Terminal
import WorkflowKit
import WorkflowLua

/// A run for people and simple scripts: renderings and outputs as text, actions one per line.
struct TextInterface: RunInterface {
    let isQuiet: Bool
    let output: OutputStyle
    let errors: OutputStyle
    /// The user's terminal; `nil` for one record per line.
    let terminal: RunTerminal?
    let failures = OutputFailures()
    private let mistakes = Mistakes()

    init(isQuiet: Bool, output: OutputStyle, errors: OutputStyle, terminal: RunTerminal?) {
        self.isQuiet = isQuiet
        self.output = output
        self.errors = errors
        self.terminal = terminal
    }

    func show(_ event: FlowEvent) {
        terminal?.show(event)
        switch event.kind {
        case .rendering(let rendering, _, _) where terminal == nil && !isQuiet:
            let line = RenderingPrinter(style: output.style).line(rendering)
            failures.record(output.stream.write(line))
        case .output(let value) where terminal == nil:
            failures.record(output.stream.write("output \(value)\n"))
        case .log(_, let message, let location):
            say(RenderingPrinter(style: errors.style).log(message, location))
        case .error(let error):
            failures.record(error)
            let printer = ErrorPrinter(style: errors.style)
            let text = printer.text(error)
            say(mistakes.add(error, saying: text) ? text : printer.again(error))
        default: break
        }
    }

    private func say(_ text: String) {
        if let terminal, errors.stream.isTerminal {
            terminal.show(text)
        } else {
            errors.stream.write(text)
        }
    }

    func ask(for session: FlowSession) async { await terminal?.ask(for: session) }

    var hasFailed: Bool { mistakes.hasFailedLine }

    func tell(waitingFor work: String) {
        if !isQuiet { say("note: the input has ended; waiting for \(work)\n") }
    }

    func stop() { terminal?.leave() }

    func report(_ error: FlowError, of session: FlowSession) {
        say(ErrorPrinter(style: errors.style).text(error))
    }

    func finish(_ end: RunEnd, _ status: ExitStatus, of session: FlowSession) async -> ExitStatus {
        // If the flow could not start, its error was reported already.
        if end == .timeout, await session.isClosed {
            report(FlowError(.timeout), of: session)
        }
        if let end = failures.reportedEnd, end.status != .success { return end.status }
        let status = failures.status(status)
        return status == .success ? mistakes.status : status
    }

    func serve(_ line: String?, in session: FlowSession) async -> RunEnd? {
        mistakes.forget()
        do throws(FlowError) {
            guard let line else { throw FlowError(.lineWithoutText) }
            let numbered = terminal?.endAsking()
            let text = line.trimmed
            if text.isEmpty { return nil }
            if text.first == "." { return try await execute(text, in: session) }
            let action = try await TypedAction(text, numbered: numbered, in: session)
            // From here on, an error becomes an event of the session.
            do throws(FlowError) { try await action.send(to: session) } catch {
                mistakes.addFailedLine()
            }
        } catch {
            mistakes.addFailedLine()
            await session.record(.error(error))
        }
        return nil
    }

    private func execute(
        _ text: String, in session: FlowSession
    ) async throws(FlowError) -> RunEnd? {
        let view = SessionView(
            of: session, style: output.style, columns: terminal == nil ? 80 : LineEditor.columns)
        guard let lines = try await view.execute(text) else { return .quit }
        let answer = lines.map { $0 + "\n" }.joined()
        if let terminal {
            terminal.show(answer)
        } else {
            failures.record(output.stream.write(answer))
        }
        return nil
    }
}

/// The errors of a run, caused by lines or by workers.
private final class Mistakes: Sendable {
    private struct State {
        /// The exit status of the first error.
        var status = ExitStatus.success
        /// The last error since the last line.
        var last: String?
        var hasFailedLine = false
    }

    private let state = Mutex(State())

    var status: ExitStatus { state.withLock(\.status) }

    /// Adds an error. Returns false if it repeats the last one, as a worker's may.
    func add(_ error: FlowError, saying text: String) -> Bool {
        state.withLock { state in
            if state.status == .success {
                let status = ExitStatus(error)
                // The run has started, so no file is missing.
                state.status = status == .unavailable ? status : .flow
            }
            defer { state.last = text }
            return text != state.last
        }
    }

    var hasFailedLine: Bool { state.withLock(\.hasFailedLine) }

    func addFailedLine() { state.withLock { $0.hasFailedLine = true } }

    /// Lets the next error be printed in full.
    func forget() { state.withLock { $0.last = nil } }
}
