import PlainValue
import WorkflowKit
import WorkflowLua

/// A run that speaks JSON lines: events go out, requests come in.
struct JSONRun {
    let keepsGoing: Bool
    private let watch = OutputWatch()

    init(keepsGoing: Bool) { self.keepsGoing = keepsGoing }

    /// Plays a flow from `ready` to `done`.
    func play(
        _ source: FlowSource, options: FlowOptions, inputs: RunInputs, takesInput: Bool
    ) async -> ExitStatus {
        let session = session(options)
        do throws(FlowError) {
            try await session.start(source)
        } catch {
            return await end(session, .error, ExitStatus(error))
        }
        let end = await serve(session, inputs: inputs, takesInput: takesInput)
        await session.close()
        return await self.end(session, end, end.status)
    }

    /// Says why nothing is played.
    func refuse(_ error: FlowError, _ status: ExitStatus) async -> ExitStatus {
        let session = session(FlowOptions())
        await session.record(.error(error))
        return await end(session, .error, status)
    }

    private func session(_ options: FlowOptions) -> FlowSession {
        FlowSession(options: options) { [watch] event in
            watch.note(OutputStream.standardOutput.write(event.record.json + "\n"))
        }
    }

    private func end(
        _ session: FlowSession, _ reason: RunEnd, _ status: ExitStatus
    ) async -> ExitStatus {
        await session.record(.done(reason: reason.rawValue, exit: Int(status.rawValue)))
        // An output that cannot be written is known only now if it was the last line.
        return watch.reportedEnd?.status ?? status
    }

    private func serve(
        _ session: FlowSession, inputs: RunInputs, takesInput: Bool
    ) async -> RunEnd {
        if let end = watch.end { return end }
        guard takesInput else { return .eof }
        inputs.readLines()
        for await input in inputs.stream {
            switch input {
            case .line(let line):
                if let end = await serve(line, session) { return end }
            case .garbledLine:
                await session.record(
                    .error(FlowError(.badRequest, "the line is no UTF-8 text")))
            case .end: return .eof
            case .signal(let number): return RunEnd(signal: number)
            case .timeout: return .timeout
            }
            if let end = watch.end { return end }
            inputs.askForLine()
        }
        return .eof
    }

    /// Serves one request; a reason if it ended the run.
    private func serve(_ line: String, _ session: FlowSession) async -> RunEnd? {
        if line.trimmed.isEmpty { return nil }
        let value: Value
        do throws(JSONError) {
            value = try Value(json: line)
        } catch {
            await session.record(
                .error(
                    FlowError(
                        .badRequest, "the line is no JSON: \(error)",
                        help:
                            "a request is an object, such as {\"id\":1,\"do\":\"send\",\"action\":\"add\"}"
                    )))
            return nil
        }
        let id = value["id"]
        var isLast = false
        do throws(FlowError) {
            let request: Request
            do throws(FlowError) {
                request = try Request(value)
            } catch {
                await session.record(.error(error))
                throw error
            }
            switch request {
            case .quit: isLast = true
            case .send(let action, let node): try await session.send(action, to: node)
            case .sink(let sink, let fields): try await session.send(sink: sink, with: fields)
            }
            if let id { await session.record(.reply(id: id, error: nil)) }
        } catch {
            if let id { await session.record(.reply(id: id, error: error)) }
        }
        if isLast { return .quit }
        return await !session.takeOutputs().isEmpty && !keepsGoing ? .finished : nil
    }
}
