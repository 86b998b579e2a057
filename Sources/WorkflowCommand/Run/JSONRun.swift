import FlowPrinting
import FlowREPL
import FlowServing
import PlainValue
import Terminal
import WorkflowKit
import WorkflowLua

/// A run that speaks JSON lines: events go out, requests come in.
struct JSONRun {
    private let watch = OutputFailures()

    /// Plays a flow from `ready` to `done`.
    func play(_ configuration: RunConfiguration) async -> ExitStatus {
        let session = session(configuration.options, configuration.inputs)
        configuration.inputs.interrupt.watch(session)
        do throws(Refusal) {
            try await session.listen(ifAskedAt: configuration.socket)
        } catch {
            await session.record(.error(error.error))
            return await end(session, .error, error.status)
        }
        do throws(FlowError) {
            try await session.start(configuration.source, restoring: configuration.snapshot)
        } catch {
            let asked = configuration.inputs.requestedEnd
            return await end(session, asked ?? .error, asked?.status ?? ExitStatus(error))
        }
        let loop = RunLoop(session: session, configuration: configuration, watch: watch)
        let end = await loop.run { line in
            await session.serve(line) ? .quit : nil
        }
        var status = end.status
        do throws(Refusal) {
            try await configuration.save(session)
        } catch {
            await session.record(.error(error.error))
            status = error.status
        }
        await session.close()
        return await self.end(session, end, status)
    }

    /// Says why nothing is played.
    func refuse(_ error: FlowError, _ status: ExitStatus) async -> ExitStatus {
        let session = session(FlowOptions(), nil)
        await session.record(.error(error))
        return await end(session, .error, status)
    }

    private func session(_ options: FlowOptions, _ inputs: RunInputs?) -> FlowSession {
        FlowSession(options: options) { [watch] event in
            watch.record(OutputStream.standardOutput.write(event.record.json + "\n"))
            if case .output = event.kind { inputs?.post(.output) }
        }
    }

    private func end(
        _ session: FlowSession, _ reason: RunEnd, _ status: ExitStatus
    ) async -> ExitStatus {
        await session.record(.done(reason: reason.rawValue, exit: Int(status.rawValue)))
        // An output that cannot be written is known only now if it was the last line.
        return watch.reportedEnd?.status ?? status
    }
}
