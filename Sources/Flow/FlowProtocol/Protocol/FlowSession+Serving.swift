import FlowOrigins
import PlainValue
import Workflow
public import WorkflowKit
import WorkflowLua

extension FlowSession {
    /// Serves one line of the JSON protocol, for callers with a transport such as a pipe or a page.
    ///
    /// Its immediate effects have happened when this returns. Errors are sent, never thrown.
    ///
    /// ```swift
    /// let isLast = await session.serve(#"{"id":1,"do":"undo"}"#) { kind in print(kind) }
    /// ```
    ///
    /// - Parameters:
    ///   - line: The line; `nil` stands for one that is not UTF-8. An empty line is ignored.
    ///   - client: The client; `nil` if there is only one.
    ///   - answer: Called with the events for the client alone: its `reply`, its `news`, the
    ///     `snapshot` that it requested, and an `error` about an invalid request. Without it, they
    ///     become events of the session.
    /// - Returns: True if the line was the last one: `quit`.
    public func serve(
        _ line: String?, of client: ProtocolClient? = nil,
        answer: (@Sendable (FlowEvent.Kind) -> Void)? = nil
    ) -> Bool {
        let isKnown = client != nil
        let client = client ?? ProtocolClient()
        let hides = client.hidesSecrets && !secrets.names.isEmpty
        func send(_ kind: FlowEvent.Kind) {
            let kind = hides ? kind.hiding(secrets) : kind
            if let answer { answer(kind) } else { record(kind) }
        }
        guard let value = Self.read(line, send) else { return false }
        let id = value["id"]
        let begun = ContinuousClock.now
        defer { client.follower?.add(ContinuousClock.now - begun) }
        do throws(FlowError) {
            let request = try Self.request(in: hides ? value.unnaming(secrets) : value, send)
            if let scope = request.scope {
                try client.require(scope, for: value["do"]?.string ?? "")
            }
            if case .patches = request, !isKnown { throw FlowError(.noPatches) }
            try perform(request, id: id, of: client, answer, send)
            if case .quit = request { return true }
        } catch {
            if let id {
                send(.reply(id: id, error: error))
            } else if (try? FlowRequest(value))?.onlyLooks == true {
                // The failure is not an event of the session and would be lost.
                send(.error(error))
            }
        }
        return false
    }

    /// The value in a line; `nil` for a blank line, and for an invalid one, whose error is sent.
    private static func read(_ line: String?, _ send: (FlowEvent.Kind) -> Void) -> Value? {
        guard let line else {
            send(.error(FlowError(.lineWithoutText)))
            return nil
        }
        if line.allSatisfy(\.isWhitespace) { return nil }
        do throws(JSONError) {
            return try Value(json: line)
        } catch {
            send(.error(FlowError(.noJSON, error)))
            return nil
        }
    }

    private static func request(
        in value: Value, _ send: (FlowEvent.Kind) -> Void
    ) throws(FlowError) -> FlowRequest {
        do throws(FlowError) {
            return try FlowRequest(value)
        } catch {
            send(.error(error))
            throw error
        }
    }

    /// Executes a request and sends its reply.
    private func perform(
        _ request: FlowRequest, id: Value?, of client: ProtocolClient,
        _ answer: (@Sendable (FlowEvent.Kind) -> Void)?, _ send: (FlowEvent.Kind) -> Void
    ) throws(FlowError) {
        var result: Value?
        var follower: NewsFollower?
        switch request {
        case .snapshot: send(.snapshot(try snapshot().document))
        case .patches(let isOn): client.patches.setOn(isOn)
        case .narrow(let scopes): client.narrow(to: scopes)
        case .follow:
            follower = client.follow(self) { [weak self] kind in
                if let answer { answer(kind) } else { self?.assumeIsolated { $0.record(kind) } }
            }
        case .fork(let step):
            // The reply follows when the fork exists.
            return try fork(at: step ?? self.step, for: client) { value, error in
                if let id { answer?(.reply(id: id, value: value, error: error)) }
            }
        case .eval(let expression, let names):
            let values = try values(of: expression, where: names, for: client)
            if let id, values.count > 1 { return send(.values(id: id, values)) }
            result = values.first ?? .null
        default: result = try serve(request, of: client)
        }
        if let id { send(.reply(id: id, value: result)) }
        if let follower { follow(follower) }
        if !request.onlyLooks { client.follower?.hurry() }
    }

    private func values(
        of expression: String, where names: [(String, Value)], for client: ProtocolClient
    ) throws(FlowError) -> [Value] {
        self.client = client.number
        defer { self.client = nil }
        let hidden = client.hidesSecrets ? secrets : SecretTexts([])
        return try values(of: expression, where: hidden.names.isEmpty ? names : shown + names)
            .map { hidden.hiding($0) }
    }

    /// Executes a request and returns the value of its reply.
    private func serve(
        _ request: FlowRequest, of client: ProtocolClient
    ) throws(FlowError) -> Value? {
        self.client = client.number
        defer { self.client = nil }
        let hidden = client.hidesSecrets ? secrets : SecretTexts([])
        switch request {
        case .quit, .snapshot, .patches, .narrow, .follow, .eval, .fork: break
        case .look(let request): return try look(request, hiding: hidden)
        case .worker(let news): try play(news)
        case .retry(let worker): return .int(try retry(worker))
        case .unfork(let number):
            guard client.forks?.end(number) == true else { throw FlowError(.noFork, number) }
        case .call(let call): try play(try call.input(in: self))
        case .undo: try undo()
        case .redo: try redo()
        case .branch: try branch()
        case .go(let step): try go(to: step)
        case .reload(let policy, let tellsChanges):
            guard tellsChanges else {
                try reload(policy)
                break
            }
            let changed = try reloadComparing(policy)
            return ["changed": .list(of: changed.map { .int($0) }), "hash": .string(hash)]
        case .interrupt: return .bool(interrupt())
        case .status: return status.document
        case .nodes: return hidden.hiding(nodes()?.document ?? [])
        case .timeline(let tellsChanges):
            var record: Value.Record = [
                "step": .int(step), "of": .int(stepCount),
                "inputs": hidden.hiding(.list(of: inputs.map(\.document))),
            ]
            if tellsChanges {
                let steps = try steps().map(\.document)
                record["steps"] = hidden.hiding(.list(of: steps))
            }
            return .record(record)
        case .rendering(let step): return hidden.hiding(try rendering(at: step ?? self.step))
        case .why(let subject, let step, let depth):
            return try origin(of: subject, at: step, through: depth).document
        case .whyNode(let text, let step):
            guard let node = NodePath(text) else { throw FlowError(.noPath, text) }
            return try origin(ofNode: node, at: step).document
        case .log where !hidden.names.isEmpty, .logRendering where !hidden.names.isEmpty:
            throw FlowError(.logsSecrets)
        case .logRendering(let points): return .list(of: try logRendering(points).map(\.document))
        case .log(let points, let first, let last):
            let steps = try steps(from: first, through: last ?? stepCount)
            return .list(of: try log(points, steps: steps).map(\.document))
        }
        return nil
    }
}

extension FlowSession {
    /// The names that expressions see, without secrets.
    private var shown: [(String, Value)] {
        [
            ("rendering", secrets.hiding(rendering)), ("props", secrets.hiding(props)),
            ("state", secrets.hiding(state() ?? .null)),
        ]
    }

    private func fork(
        at step: Int, for client: ProtocolClient,
        _ answer: @escaping @Sendable (Value?, FlowError?) -> Void
    ) throws(FlowError) {
        guard let forks = client.forks else { throw FlowError(.noForks) }
        let (source, options, snapshot, inputs) = try copy(through: step)
        let flow = name
        Task(executorPreference: options.executor) {
            do throws(FlowError) {
                let number = try await forks.make(source, options, snapshot, inputs)
                answer(["session": .int(number), "flow": .string(flow)], nil)
            } catch {
                answer(nil, error)
            }
        }
    }

    /// Reloads the flow's files and returns the steps whose renderings changed.
    private func reloadComparing(_ policy: ReloadPolicy) throws(FlowError) -> [Int] {
        let last = stepCount
        let before = try renderingHashes(through: last)
        try reload(policy)
        let after = try renderingHashes(through: min(last, stepCount))
        return after.keys.filter { before[$0] != after[$0] }.sorted()
    }

    private func renderingHashes(through last: Int) throws(FlowError) -> [Int: Int] {
        var hashes: [Int: Int] = [:]
        try past.search(from: nil, through: last) { (step, rendering, _, _) throws(FlowError) in
            hashes[step] = rendering.hashValue
            return true
        }
        return hashes
    }

    /// The sink at a path of the rendering, which must be the same as after a step.
    func sink(at path: ValuePath, asOf step: Int?) throws(FlowError) -> Value {
        let sink = rendering[path]
        guard let sink, actionType(ofSink: sink) != nil else { throw FlowError(.noSink, path) }
        if let step, step != self.step, try rendering(at: step)[path] != sink {
            throw FlowError(.otherSink, path, step)
        }
        return sink
    }

    private func steps(from first: Int, through last: Int) throws(FlowError) -> ClosedRange<Int> {
        guard 0...stepCount ~= first, first...stepCount ~= last else {
            throw FlowError(.noSteps, first, last, stepCount)
        }
        return first...last
    }
}

extension FlowEvent.Kind {
    fileprivate func hiding(_ secrets: SecretTexts) -> FlowEvent.Kind {
        switch self {
        case .reply(let id, let value, let error):
            .reply(id: id, value: value.map { secrets.naming($0) }, error: error?.hiding(secrets))
        case .values(let id, let values): .values(id: id, values.map { secrets.naming($0) })
        case .snapshot(let document): .snapshot(secrets.hiding(document))
        case .error(let error): .error(error.hiding(secrets))
        default: self
        }
    }
}

extension FlowError {
    fileprivate func hiding(_ secrets: SecretTexts) -> FlowError {
        FlowError(record: .record(record(hiding: secrets))) ?? self
    }
}

extension Value {
    /// A request whose paths are those of the session again.
    fileprivate func unnaming(_ secrets: SecretTexts) -> Value {
        guard case .record(var request) = self else { return self }
        for field in ["key", "node", "path", "under"] {
            guard let text = request[field]?.string else { continue }
            request[field] = .string(secrets.unnamed(text))
        }
        return .record(request)
    }
}
