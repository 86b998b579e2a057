import PlainValue
import WorkflowKit
import WorkflowLua

/// A run that speaks JSON lines: events go out, requests come in.
struct JSONRun {
    private let watch = OutputWatch()

    /// Plays a flow from `ready` to `done`.
    func play(_ plan: RunPlan) async -> ExitStatus {
        let session = session(plan.options, plan.inputs)
        plan.inputs.interrupt.watch(session)
        do throws(FlowError) {
            try await session.start(plan.source, restoring: plan.snapshot)
        } catch {
            let asked = plan.inputs.requestedEnd
            return await end(session, asked ?? .error, asked?.status ?? ExitStatus(error))
        }
        let loop = RunLoop(session: session, plan: plan, watch: watch)
        let end = await loop.run { line in
            if let line { return await serve(line, session) }
            await session.record(.error(FlowError(.badRequest, "the line is no UTF-8 text")))
            return nil
        }
        var status = end.status
        do throws(Refusal) {
            try await plan.save(session)
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
            watch.note(OutputStream.standardOutput.write(event.record.json + "\n"))
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
            case .undo: try await session.undo()
            case .redo: try await session.redo()
            case .go(let step): try await session.go(to: step)
            case .reload: try await session.reload()
            case .props(let props): try await session.update(props: props)
            case .snapshot:
                await session.record(.snapshot(try await session.snapshot().document))
            }
            if let id { await session.record(.reply(id: id, error: nil)) }
        } catch {
            if let id { await session.record(.reply(id: id, error: error)) }
        }
        return isLast ? .quit : nil
    }
}
