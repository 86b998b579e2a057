import PlainValue
import WorkflowKit
import WorkflowLua

/// A run that speaks JSON lines: events go out, requests come in.
struct JSONRun {
    let keepsGoing: Bool

    func play(
        _ source: FlowSource, options: FlowOptions, inputs: RunInputs, takesInput: Bool
    ) async -> ExitStatus {
        let reader = ReaderWatch()
        let write: @Sendable (FlowEvent) -> Void = { event in
            if !OutputStream.standardOutput.write(event.record.json + "\n") { reader.noteGone() }
        }
        let session = FlowSession(options: options, onEvent: write)
        do throws(FlowError) {
            try await session.start(source)
        } catch {
            let status = ExitStatus(error)
            await session.record(
                .done(reason: RunEnd.error.rawValue, exit: Int(status.rawValue)))
            return status
        }
        let end = await serve(session, inputs: inputs, takesInput: takesInput, reader: reader)
        await session.close()
        await session.record(.done(reason: end.rawValue, exit: Int(end.status.rawValue)))
        return end.status
    }

    private func serve(
        _ session: FlowSession, inputs: RunInputs, takesInput: Bool, reader: ReaderWatch
    ) async -> RunEnd {
        if takesInput { inputs.readLines() } else { return .eof }
        for await input in inputs.stream {
            switch input {
            case .line(let line):
                if let end = await serve(line, session) { return end }
            case .end: return .eof
            case .signal(let number): return RunEnd(signal: number)
            case .timeout: return .timeout
            }
            if reader.isGone { return .eof }
        }
        return .eof
    }

    /// Serves one request; a reason if it ended the run.
    private func serve(_ line: String, _ session: FlowSession) async -> RunEnd? {
        if line.trimmed.isEmpty { return nil }
        let request: Value
        do throws(JSONError) {
            request = try Value(json: line)
        } catch {
            await session.record(
                .error(
                    FlowError(
                        .badRequest, "the line is no JSON: \(error)",
                        help: "a request is an object, such as {\"id\":1,\"do\":\"send\",\"action\":\"add\"}"
                    )))
            return nil
        }
        let id = request["id"]
        do throws(FlowError) {
            let isLast = try await perform(request, session)
            if let id { await session.record(.reply(id: id, error: nil)) }
            if isLast { return .quit }
        } catch {
            if error.code == .badRequest { await session.record(.error(error)) }
            if let id { await session.record(.reply(id: id, error: error)) }
        }
        return await !session.takeOutputs().isEmpty && !keepsGoing ? .finished : nil
    }

    /// Does what a request asks for; whether it was the last.
    private func perform(_ request: Value, _ session: FlowSession) async throws(FlowError) -> Bool {
        let verbs = ["quit", "send"]
        guard case .string(let verb)? = request["do"] else {
            throw FlowError(
                .badRequest, "a request is an object with a \"do\"",
                help: "\"do\" is one of \(verbs.joined(separator: ", "))")
        }
        switch verb {
        case "quit": return true
        case "send":
            if let sink = request["sink"] {
                try await session.send(sink: sink, with: request["with"]?.record ?? [:])
            } else if let action = request["action"] {
                try await session.send(action, to: request["node"]?.string)
            } else {
                throw FlowError(
                    .badRequest, "a send has an \"action\" or a \"sink\"",
                    help: "such as {\"id\":1,\"do\":\"send\",\"action\":{\"type\":\"add\"}}")
            }
            return false
        default:
            throw FlowError(
                .badRequest,
                "there is no request '\(verb)'" + suggestion(for: verb, among: verbs, noun: "names"))
        }
    }
}
