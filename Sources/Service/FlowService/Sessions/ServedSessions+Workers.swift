import FlowProtocol
import HTTPServing
import PlainValue
import SessionPlugin
import Timers
import WorkerKit
import WorkflowKit
import WorkflowLua
import WorkflowStore

// What workers of sessions ask of others.
extension ServedSessions: SessionService {
    func flow(ofSession id: String) async throws -> String {
        try await persistently { try await self.summary(of: id).flow }
    }

    func send(
        _ action: Value, toSession id: String, node: String?, by sender: WorkerIdentity
    ) async throws -> SessionAnswer {
        var fields: Value.Record = ["action": action]
        if let node { fields["node"] = .string(node) }
        let call: FlowCall
        do throws(FlowError) { call = try FlowCall("send", fields) } catch {
            throw WorkerError(error)
        }
        let circumstances = try await circumstances(
            of: sender, "send \(id) \(Value.record(fields).json)")
        return try await persistently {
            let moment = try await self.take(call, in: id, circumstances)
            return SessionAnswer(session: id, step: moment.step, rendering: moment.rendering)
        }
    }

    func createSession(
        _ id: String, of flow: String, props: Value?, by sender: WorkerIdentity
    ) async throws -> SessionAnswer {
        guard id.isServedID else {
            throw WorkerError(
                "bad_id", "'\(id.prefix(40))' cannot be the id of a session",
                help: "use 1 to 100 letters, digits and the signs _.~:@-, with none of .~:@- first")
        }
        let circumstances = try await circumstances(
            of: sender, "create \(id) \(flow) \(props?.json ?? "")")
        return try await persistently {
            let made = try await self.create(id, of: flow, props: props, circumstances)
            return SessionAnswer(
                session: id, step: made["step"]?.int ?? 0, rendering: made["rendering"] ?? .null)
        }
    }

    func followSession(
        _ id: String, after place: SessionOutputPlace?, by sender: WorkerIdentity,
        _ give: @Sendable (SessionOutput) async throws -> Void
    ) async throws {
        let principal = try await circumstances(of: sender, "").principal
        var place = place
        while true {
            let mailbox: SessionMailbox
            do throws(Problem) {
                mailbox = try readers.add(to: id, for: principal.streamClient, of: principal)
            } catch { throw WorkerError(error) }
            defer { readers.remove(mailbox, from: id) }
            if try await follow(id, from: &place, principal, mailbox, give) { return }
        }
    }

    /// Gives outputs until the mailbox ends. Returns true if the session has ended.
    private func follow(
        _ id: String, from place: inout SessionOutputPlace?, _ principal: Principal,
        _ mailbox: SessionMailbox, _ give: @Sendable (SessionOutput) async throws -> Void
    ) async throws -> Bool {
        var version: Int?
        while true {
            let known = version
            let (now, kept) = try await persistently {
                let now = try await self.moment(of: id, for: principal, .follow)
                guard let known else { return (now, Int?.none) }
                return (now, try await self.store.keptStep(of: id, since: known))
            }
            mailbox.leaveOut(through: now.version)
            version = now.version
            var last = place ?? SessionOutputPlace(step: now.step)
            if let kept, kept < last.step { last = SessionOutputPlace(step: kept) }
            // Some outputs of the last step may be missing still.
            let first = last.number == nil ? last.step + 1 : last.step
            if first <= now.step, first > 0 {
                let steps = first...now.step
                let moments = try await persistently {
                    try await self.pool.resume(id) { try await $0.moments(steps) }
                }
                for moment in moments {
                    let skipped = moment.step == last.step ? last.number ?? .max : 0
                    for (index, output) in moment.outputs.enumerated().dropFirst(skipped) {
                        let given = SessionOutput(
                            step: moment.step, number: index + 1, output: output)
                        try await give(given)
                        last = SessionOutputPlace(step: given.step, number: given.number)
                    }
                }
                last = SessionOutputPlace(step: max(last.step, now.step))
            }
            place = last
            switch await mailbox.next() {
            case .event, .behind, .heartbeat: continue
            case .end("deleted"): return true
            case .end(StreamEnd.notGranted): throw WorkerError(Problem.forbidden(principal))
            case .end:
                // It was too slow, or the service ends.
                try await Task.sleep(for: .milliseconds(100), clock: TimerClock())
                return false
            }
        }
    }

    // MARK: Who asks

    /// The sender as a principal, and the key of its request.
    private func circumstances(
        of sender: WorkerIdentity, _ request: String
    ) async throws -> Circumstances {
        let flow = try await flow(ofSession: sender.session)
        let principal = Principal(
            "session/\(sender.session)",
            claims: ["session": .string(sender.session), "flow": .string(flow)],
            scopes: [.read, .act])
        return Circumstances(
            principal: principal,
            key: RequestKey(sender.text, digest: StableHash(request.utf8).value))
    }

    /// Does something again until it succeeds or is refused.
    private func persistently<Result: Sendable>(
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        var pause = Duration.milliseconds(20)
        while true {
            do throws(Problem) {
                return try await problems(body)
            } catch {
                let mayPass = [.tooManyRequests, .serviceUnavailable].contains(error.status)
                guard mayPass || error.code == "conflict" || error.code == "in_flight" else {
                    throw WorkerError(error)
                }
            }
            try await Task.sleep(for: pause * Double.random(in: 0.5...1), clock: TimerClock())
            pause = min(pause * 2, .seconds(5))
        }
    }
}

extension WorkerError {
    fileprivate init(_ problem: Problem) {
        // The words of the flow that refuses are meant for those who ask.
        let isOfFlow = problem.code == "refused"
        self.init(
            problem.code, isOfFlow ? problem.detail : problem.title,
            help: isOfFlow ? nil : problem.detail)
    }

    fileprivate init(_ error: FlowError) {
        self.init(error.code.rawValue, error.message, help: error.help)
    }
}
