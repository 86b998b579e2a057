import FlowPrinting
import FlowREPL
import FlowProtocol
import PlainValue
import Terminal
import WorkflowKit
import WorkflowLua

/// A run with JSON lines: events go out, requests come in.
struct JSONInterface: RunInterface {
    let failures = OutputFailures()
    private let client = ProtocolClient()

    func show(_ event: FlowEvent) {
        var event = event
        switch event.kind {
        case .error(let error):
            failures.record(error)
            event.kind = .error(error.withOptions)
        case .reply(let id, nil, let error?):
            event.kind = .reply(id: id, error: error.withOptions)
        default: break
        }
        guard let record = client.record(of: event) else { return }
        failures.record(OutputStream.standardOutput.write(record.json + "\n"))
    }

    func ask(for session: FlowSession) {}

    func serve(_ line: String?, in session: FlowSession) async -> RunEnd? {
        await session.serve(line, of: client) ? .quit : nil
    }

    var hasFailed: Bool { false }

    func tell(waitingFor work: String) {
        OutputStream.standardError.write("note: the input has ended; waiting for \(work)\n")
    }

    func stop() {}

    func report(_ error: FlowError, of session: FlowSession) async {
        await session.record(.error(error))
    }

    func finish(_ end: RunEnd, _ status: ExitStatus, of session: FlowSession) async -> ExitStatus {
        let status = failures.status(status)
        await session.record(.done(reason: end.rawValue, exit: Int(status.rawValue)))
        // A failure to write the last line only shows now.
        return failures.reportedEnd?.status ?? status
    }

    /// Reports why nothing is played.
    static func refuse(_ error: any Error) async -> ExitStatus {
        let (interface, refusal) = (JSONInterface(), Refusal(error))
        let session = FlowSession(onEvent: interface.show)
        await interface.report(refusal.error, of: session)
        return await interface.finish(.error, refusal.status, of: session)
    }
}
