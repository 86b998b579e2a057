package import FlowOrigins
import FlowProtocol
package import PlainValue
package import Workflow
package import WorkflowKit
package import WorkflowLua

extension RemoteSession: REPLSession {
    package var status: FlowStatus {
        get async {
            _ = await ask("status")
            return lastStatus
        }
    }

    package var rendering: Value { get async { lastRendering } }

    package var inputs: [FlowInput] {
        get async {
            let value = await ask("timeline").value
            return (value["inputs"]?.list ?? []).compactMap { try? FlowInput(document: $0) }
        }
    }

    /// The header at the session's beginning, whatever step it shows; `nil` if it has not greeted.
    package func firstHeader() async throws(FlowError) -> FlowHeader? {
        // What greets has a snapshot of the moment, if there were steps before.
        guard let header, header.snapshot != nil else { return header }
        let text = try await request("recording", [:])["text"]?.string ?? ""
        return try FlowRecording(parsing: text, name: "the session").header
    }

    package func steps() async throws(FlowError) -> [FlowStep] {
        let value = try await request("timeline", ["changes": true])
        let documents = value["steps"]?.list ?? []
        return (value["inputs"]?.list ?? []).enumerated().compactMap { index, input in
            guard let input = try? FlowInput(document: input) else { return nil }
            return FlowStep(input, document: index < documents.count ? documents[index] : .null)
        }
    }

    package func rendering(at step: Int) async throws(FlowError) -> Value {
        try await request("rendering", ["step": .int(step)])
    }

    package func origin(ofNode node: NodePath) async throws(FlowError) -> ValueOrigin {
        try await origin(["node": .string(node.description)])
    }

    package func origin(
        of subject: OriginSubject, at step: Int?, through depth: Int
    ) async throws(FlowError) -> ValueOrigin {
        var fields: Value.Record = ["through": .int(depth)]
        if let step { fields["step"] = .int(step) }
        let named: (name: String, path: ValuePath, node: NodePath?) =
            switch subject {
            case .rendering(let path): ("path", path, nil)
            case .state(let path, let node): ("state", path, node)
            case .props(let path, let node): ("props", path, node)
            case .action(let path, let node): ("action", path, node)
            }
        fields[named.name] = .string(named.path.description)
        if let node = named.node { fields["node"] = .string(node.description) }
        return try await origin(fields)
    }

    package func origin(
        ofExpression text: String, in frame: FlowFrame, through depth: Int
    ) async throws(FlowError) -> ValueOrigin {
        throw FlowError(.otherProcess)
    }

    private func origin(_ fields: Value.Record) async throws(FlowError) -> ValueOrigin {
        let value = try await request("why", fields)
        guard let origin = ValueOrigin(document: value) else { throw FlowError(.noAnswer) }
        return origin
    }

    package func log(
        _ points: [LogPoint], steps: ClosedRange<Int>?
    ) async throws(FlowError) -> [LogHit] {
        var fields: Value.Record =
            steps.map { ["first": .int($0.lowerBound), "last": .int($0.upperBound)] }
            ?? ["rendering": true]
        fields["points"] = .list(
            of: points.map { point in
                var record: Value.Record = ["at": .string(point.description)]
                if let condition = point.condition { record["where"] = .string(condition) }
                return .record(record)
            })
        return (try await request("log", fields).list ?? []).compactMap(LogHit.init(document:))
    }

    package func nodes() async -> FlowNode? { FlowNode(document: await ask("nodes").value) }

    package func values(
        of expression: String, where names: [(String, Value)]
    ) async throws(FlowError) -> [Value] {
        let record = Value.Record(names, uniquingKeysWith: { $1 })
        let reply = await ask(
            "eval", ["expression": .string(expression), "where": .record(record)])
        if let error = reply.error { throw error }
        return [reply.value] + reply.more
    }

    package func send(_ action: Value) async throws(FlowError) {
        try await request("send", ["action": action])
    }

    package func send(sink: Value, with fields: Value.Record) async throws(FlowError) {
        try await request("send", ["sink": sink, "with": .record(fields)])
    }

    package func retry(_ worker: NodePath?) async throws(FlowError) -> Int {
        var fields: Value.Record = [:]
        if let worker, let last = worker.components.last {
            fields["node"] = .string(NodePath(Array(worker.components.dropLast())).description)
            fields["worker"] = .string(last.name)
            if !last.key.isEmpty { fields["key"] = .string(last.key) }
        }
        return try await request("retry", fields).natural ?? 0
    }

    package func go(to step: Int) async throws(FlowError) {
        try await request("goto", ["step": .int(step)])
    }

    package func branch() async throws(FlowError) { try await request("branch") }

    package func reload(_ policy: ReloadPolicy) async throws(FlowError) {
        try await request("reload", ["replay": .bool(policy == .replayingInputs)])
    }

    package func snapshot() async throws(FlowError) -> FlowSnapshot {
        try await request("snapshot")
        guard let document = removeSnapshot() else { throw FlowError(.noSnapshot) }
        return try FlowSnapshot(document: document)
    }

    // The reply comes after all events of earlier inputs and before those of later ones.
    package func removeEvents(of feed: SessionFeed) async -> [SessionFeed.Item] {
        await ask("status", takingFeed: true).items
    }

    package func leave() async { detach() }

    /// The inputs up to the end of the timeline, and the shown step; takes the events so far.
    package func timeline() async throws(FlowError) -> (inputs: [FlowInput], step: Int) {
        let reply = await ask("timeline", takingFeed: true)
        if let error = reply.error { throw error }
        let inputs = (reply.value["inputs"]?.list ?? []).compactMap {
            try? FlowInput(document: $0)
        }
        return (inputs, reply.value["step"]?.natural ?? inputs.count)
    }

    /// Takes the events so far.
    ///
    /// If the session may still be processing the last of them, `onNews` is called at its end.
    ///
    /// - Returns: The events, and how many of them, and with them all that were taken before, are
    ///   known to be all that came of their inputs; `nil` if no more is known than before.
    package func takeEvents() -> (events: [FlowEvent], completeCount: Int?) {
        let (items, count) = feed.removeAllWithCount()
        if items.count > count ?? 0 { announce() }
        return (items.map(\.event), count)
    }
}
