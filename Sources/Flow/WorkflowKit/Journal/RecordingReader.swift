import PlainValue
import Workflow
import WorkflowLua

/// Assembles the events of a recording to inputs with their results.
struct RecordingReader {
    /// The step of the session's timeline that the recording begins at.
    var start = 0
    var firstRendering: Value?
    var firstMoves: [FlowRecording.Move] = []
    var firstRefusals: [WorkerRefusal] = []
    var steps: [FlowRecording.Step] = []
    /// True if the last event is an input without any result.
    private(set) var endsWithInput = false
    /// The step after which the files were first reloaded without keeping the state, if they were.
    var reload: Int?
    /// True if a reload has replayed all inputs since the last input.
    private var hasReplayed = false
    var hash = ""
    var earlierCodes: [FlowRecording.EarlierCode] = []

    static func header(_ record: Value) throws(FlowError) -> FlowHeader {
        guard record["type"]?.string == "ready" else { throw FlowError(.noBeginning) }
        guard record["v"]?.int == FlowEvent.protocolVersion else {
            throw FlowError(.recordingVersion, record["v"]?.summary(maxLength: 20) ?? "none")
        }
        guard let flow = record["flow"]?.string, let hash = record["hash"]?.string,
            let seed = record["seed"]?.string.flatMap({ UInt64($0) })
        else { throw FlowError(.lacks, "the first line", "\"flow\", \"hash\" or \"seed\"") }
        var header = FlowHeader(
            flow: flow, session: record["session"]?.string ?? "", file: record["file"]?.string,
            hash: hash, seed: seed, props: record["props"] ?? [:],
            plugins: record["plugins"]?.list?.compactMap(\.string) ?? [],
            snapshot: record["snapshot"], step: try record.natural("step", .recording) ?? 0,
            principal: record["by"]?.string)
        header.startTime = record["at"]?.moment
        return header
    }

    static func record(of line: some StringProtocol, isFirst: Bool) throws(FlowError) -> Value {
        let record: Value
        do throws(JSONError) {
            record = try Value(json: String(line), limits: .document)
        } catch {
            guard !isFirst else { throw FlowError(.noRecording, line.prefix(60)) }
            throw FlowError(.lineWithoutJSON, error)
        }
        guard TextSum.holds(line) else { throw FlowError(.damagedLine) }
        return record
    }

    mutating func read(_ record: Value) throws(FlowError) {
        guard let type = record["type"]?.string else {
            throw FlowError(.lacks, "the line", "a \"type\"")
        }
        // An input's own actions are not results: they are logged before any result.
        if type != "action" { endsWithInput = false }
        switch type {
        case "action":
            guard record["source"]?.string == "client" else { return }
            guard let action = record["action"], let node = record.path("node") else {
                throw FlowError(.lacks, "an action", "\"action\" or \"node\"")
            }
            try begin(.action(action, node: node), record)
        case "worker": try readWorker(record)
        case "props":
            guard let props = record["props"] else { throw FlowError(.lacksProps) }
            try begin(.props(props), record)
        case "moved": try readMove(record)
        case "rendering": try readRendering(record)
        case "reloaded": try readReload(record)
        case "refused":
            guard let refusal = WorkerRefusal(document: record) else {
                throw FlowError(.lacks, "a refusal", "\"worker\", \"input\" or \"error\"")
            }
            if steps.isEmpty {
                firstRefusals.append(refusal)
            } else {
                change { $0.input.refusals.append(refusal) }
            }
        case "output":
            if let output = record["output"] { change { $0.outputs.append(output) } }
        // An error without a cause comes from a request that never became an input.
        case "error" where record["cause"] != nil: readError(record)
        // Unknown types come from later versions of the format, which add but do not change.
        default: break
        }
    }

    private mutating func readMove(_ record: Value) throws(FlowError) {
        guard let number = try record.natural("step", .recording) else {
            throw FlowError(.lacks, "a move", "\"step\"")
        }
        let step = number - start
        guard step >= 0 else { throw FlowError(.tooFarBack, number, start) }
        // Inputs before the beginning of the recording, and their steps, are not in it.
        guard step <= steps.count else { throw FlowError(.missingInput, number) }
        let move = FlowRecording.Move(
            step: step, snapshot: try snapshot(record),
            isToLast: record["of"] == record["step"])
        changeMoves { $0.append(move) }
    }

    private mutating func readRendering(_ record: Value) throws(FlowError) {
        guard let rendering = record["rendering"] else {
            throw FlowError(.lacks, "a rendering", "\"rendering\"")
        }
        if firstRendering == nil, steps.isEmpty {
            firstRendering = rendering
        } else if steps.isEmpty ? !firstMoves.isEmpty : steps.last?.moves.isEmpty == false {
            changeMoves { $0[$0.count - 1].rendering = rendering }
        } else {
            // After a reload that replays all inputs, it is not a result of a last one that failed.
            change { [hasReplayed] in if !hasReplayed || $0.isStep { $0.rendering = rendering } }
        }
    }

    private mutating func readError(_ record: Value) {
        let error = (record["code"]?.string ?? "", record["message"]?.string ?? "")
        // The functions that run in a render: their failure leaves the step. A failure of the
        // root's `changed` refuses the props, so it does not.
        let isOfRender =
            switch record["phase"]?.string {
            case "render", "state": true
            case "changed": record.path("node")?.components.count ?? 0 > 1
            default: false
            }
        change { step in
            guard step.error == nil else { return }
            (step.error, step.failedInRender) = (error, isOfRender)
        }
    }

    private mutating func readReload(_ record: Value) throws(FlowError) {
        defer { hash = record["hash"]?.string ?? hash }
        guard let snapshot = try snapshot(record) else {
            if reload == nil { reload = start + steps.count }
            // All inputs were replayed, so the states that earlier reloads kept no longer matter.
            hasReplayed = true
            earlierCodes = []
            firstMoves = firstMoves.compactMap(\.withoutSnapshot)
            for index in steps.indices {
                steps[index].moves = steps[index].moves.compactMap(\.withoutSnapshot)
            }
            return
        }
        changeMoves { $0.append(FlowRecording.Move(snapshot: snapshot)) }
        earlierCodes.append(
            FlowRecording.EarlierCode(
                hash: hash, last: steps.count,
                hasReplayed: earlierCodes.isEmpty && reload != nil))
    }

    private func snapshot(_ record: Value) throws(FlowError) -> FlowSnapshot? {
        guard let document = record["snapshot"] else { return nil }
        return try FlowSnapshot(document: document)
    }

    private mutating func changeMoves(_ body: (inout [FlowRecording.Move]) -> Void) {
        if steps.isEmpty { body(&firstMoves) } else { change { body(&$0.moves) } }
    }

    private mutating func readWorker(_ record: Value) throws(FlowError) {
        guard let event = WorkerNews.Event(record) else { return }
        switch event {
        case .output, .finished, .failed: break
        case .started, .cancelled, .abandoned: return
        }
        guard let node = record.path("node"), let worker = record["worker"]?.string else {
            throw FlowError(.lacks, "a worker", "\"node\" or \"worker\"")
        }
        let news = WorkerNews(
            node: node, worker: worker, key: record["key"]?.string ?? "", event: event)
        try begin(.worker(news), record)
    }

    private mutating func begin(_ kind: FlowInput.Kind, _ record: Value) throws(FlowError) {
        guard let time = record["at"]?.moment else { throw FlowError(.noTime) }
        (endsWithInput, hasReplayed) = (true, false)
        steps.append(
            FlowRecording.Step(
                sequence: try record.natural("seq", .recording) ?? 0,
                input: FlowInput(kind, milliseconds: time, by: record["by"]?.string)))
    }

    private mutating func change(_ body: (inout FlowRecording.Step) -> Void) {
        guard !steps.isEmpty else { return }
        body(&steps[steps.count - 1])
    }
}

extension FlowRecording.Move {
    /// The move without its state; `nil` for a reload.
    fileprivate var withoutSnapshot: Self? { step.map { Self(step: $0, isToLast: isToLast) } }
}
