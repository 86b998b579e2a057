import FlowPrinting
import FlowREPL
import Terminal
import WorkflowKit
import WorkflowLua

/// The user interface of a run: text for people, or JSON lines for programs.
protocol RunInterface: Sendable {
    var failures: OutputFailures { get }

    /// Shows an event. Called on the session.
    func show(_ event: FlowEvent)

    /// Shows the possible inputs, whenever a line is requested.
    func ask(for session: FlowSession) async

    /// Serves a line; `nil` is a line that is not text. Returns a reason if it ended the run.
    func serve(_ line: String?, in session: FlowSession) async -> RunEnd?

    /// True if a line could not be served.
    var hasFailed: Bool { get }

    /// Tells what the run waits for after the end of its input.
    func tell(waitingFor work: String)

    /// Called once, after the last input.
    func stop()

    /// Shows an error that is not an event of the session.
    func report(_ error: FlowError, of session: FlowSession) async

    /// Shows the end of the run, and returns the exit status of the process.
    func finish(_ end: RunEnd, _ status: ExitStatus, of session: FlowSession) async -> ExitStatus
}

/// A run: a session from its start to its end, with its inputs.
///
/// A run ends at the root's first output unless it keeps going, at the end of the input when no
/// worker runs and no others can attach, and by a signal or the timeout. After a line that failed,
/// nobody waits for workers unless a person types.
struct Run<Interface: RunInterface> {
    let interface: Interface
    let options: RunOptions
    private let session: FlowSession

    private var inputs: RunInputs { options.inputs }

    init(_ options: RunOptions, interface: Interface) {
        self.interface = interface
        self.options = options
        session = FlowSession(options: options.flowOptions) { [inputs = options.inputs] in
            interface.show($0)
            if case .output = $0.kind { inputs.post(.output) }
        }
        options.inputs.interrupt.watch(session)
    }

    func play() async -> ExitStatus {
        let status = await playToEnd()
        await options.inspection?.close()
        return status
    }

    private func playToEnd() async -> ExitStatus {
        do {
            try await session.listen(ifAskedAt: options.socket)
            if let inspection = options.inspection {
                try await session.listen(ifAskedAt: inspection.socket, greets: false)
                inspection.announce()
            }
        } catch {
            interface.stop()
            return await interface.finish(.error, await report(error), of: session)
        }
        do throws(FlowError) {
            try await session.start(options.source, restoring: options.snapshot)
        } catch {
            interface.stop()
            let asked = inputs.requestedEnd
            return await interface.finish(
                asked ?? .error, asked?.status ?? ExitStatus(error), of: session)
        }
        let end = await serveInputs()
        interface.stop()
        var status = end.status
        do { try await options.save(session) } catch { status = await report(error) }
        await session.close()
        return await interface.finish(end, status, of: session)
    }

    /// Shows an error that is not an event, and returns its exit status.
    private func report(_ error: any Error) async -> ExitStatus {
        let refusal = Refusal(error)
        await interface.report(refusal.error, of: session)
        return refusal.status
    }

    /// Serves the inputs until there is nothing to wait for.
    private func serveInputs() async -> RunEnd {
        if let end = interface.failures.end { return end }
        var wait: Task<Void, Never>?
        defer { wait?.cancel() }
        if options.takesInput {
            await interface.ask(for: session)
            inputs.readLines()
        } else {
            inputs.post(.end)
        }
        for await input in inputs.stream {
            switch input {
            case .line(let line):
                if let end = await interface.serve(line, in: session) { return end }
            case .garbledLine:
                if let end = await interface.serve(nil, in: session) { return end }
            case .output: break
            case .change:
                // An error of the new files becomes an event; the old ones stay in use.
                do throws(FlowError) { try await session.reload(options.reload) } catch {}
            // Attached clients may still send something.
            case .end where isShared && !inputs.isTyped: continue
            case .end, .idle:
                // Pending events may start workers again; in the past, none runs.
                if await !session.hasRunningWorkers { return .eof }
                if await session.isInPast { return .eof }
                if interface.hasFailed, !inputs.isTyped { return .eof }
                waitForIdle()
                if wait == nil, !inputs.isTyped { wait = tellOfWait() }
                continue
            case .signal, .timeout:
                inputs.serveEnd()
                return inputs.requestedEnd ?? .terminated
            }
            if await !session.takeOutputs().isEmpty, !options.keepsGoing { return .finished }
            if let end = interface.failures.end { return end }
            guard input.isLine else { continue }
            await interface.ask(for: session)
            inputs.askForLine()
        }
        return .eof
    }

    /// True if others can attach to the session.
    private var isShared: Bool { options.socket != nil || options.inspection != nil }

    /// Tells what the run waits for, unless it ends soon.
    private func tellOfWait() -> Task<Void, Never> {
        let (session, interface) = (session, interface)
        return Task {
            guard (try? await Task.sleep(for: .milliseconds(500))) != nil else { return }
            guard let work = await session.work, !Task.isCancelled else { return }
            interface.tell(waitingFor: work)
        }
    }

    private func waitForIdle() {
        let (session, inputs) = (session, inputs)
        Task {
            await session.untilIdle()
            inputs.post(.idle)
        }
    }
}

extension FlowSession {
    /// The workers that run, as a message shows them; `nil` if none does.
    fileprivate var work: String? {
        let workers = (nodes()?.all ?? []).flatMap { node in
            node.workers.filter { !$0.hasEnded }.map { "\($0.title) in \(node.path)" }
        }
        guard let first = workers.first else { return nil }
        let more = workers.count > 1 ? " and \(workers.count - 1) more" : ""
        let due = dormantUntil.map { Duration.milliseconds(max($0 - options.now(), 0)) }
        return printable(first) + more + (due.map { ", due in \($0.text)" } ?? "")
    }
}
