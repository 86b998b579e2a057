import LuaVM
public import PlainValue
public import WorkflowLua

/// A difference between a replay and its recording.
public struct ReplayDifference: Sendable {
    /// The step that the input led to, or would have led to; 0 is the beginning.
    public var step: Int
    /// The input, `nil` at the beginning.
    public var input: FlowInput?
    /// The difference itself.
    public var content: Content

    /// The kinds of differences.
    public enum Content: Sendable {
        /// The rendering after the step.
        case rendering(recorded: Value, now: Value)
        /// The outputs of the root.
        case outputs(recorded: [Value], now: [Value])
        /// The message of the error; `nil` without an error.
        case error(recorded: String?, now: String?)
    }

    /// Makes a difference from its parts.
    ///
    /// - Parameters:
    ///   - step: The step that the input led to; 0 is the beginning.
    ///   - input: The replayed input; `nil` at the beginning.
    ///   - content: The recorded result and that of the replay.
    public init(step: Int, input: FlowInput? = nil, content: Content) {
        self.step = step
        self.input = input
        self.content = content
    }
}

extension FlowRecording {
    /// Makes a session at the beginning of the recorded one; its workers do nothing by themselves.
    ///
    /// - Parameters:
    ///   - source: The flow, as it is now.
    ///   - options: Limits and native workflows; the rest is taken from the recording.
    /// - Throws: The `FlowError` if the flow does not load or render.
    public func makeSession(
        of source: FlowSource, options: FlowOptions = FlowOptions()
    ) async throws(FlowError) -> FlowSession {
        let (options, snapshot) = try beginning(options)
        return try await FlowSession.open(source, options: options, restoring: snapshot)
    }

    /// The options and the snapshot for a player of the recorded inputs: time stands still, and
    /// workers do nothing by themselves.
    package func beginning(
        _ options: FlowOptions = FlowOptions()
    ) throws(FlowError) -> (FlowOptions, FlowSnapshot?) {
        let snapshot: FlowSnapshot?
        if let document = header.snapshot {
            var known = try FlowSnapshot(document: document)
            known.isLenient = true
            snapshot = known
        } else {
            snapshot = nil
        }
        var options = options
        options.props = header.props
        options.principal = header.principal
        options.startTime = header.startTime
        options.refusals = firstRefusals
        options.limits.seed = header.seed
        options.runsWorkers = false
        options.sessionName = header.session
        // A copy under another name is the same flow.
        options.flowName = header.flow
        // Time stands still but for the inputs of the recording.
        options.now = { 0 }
        return (options, snapshot)
    }

    /// Replays the inputs in a session of ``makeSession(of:options:)`` and compares the results.
    ///
    /// An input that the flow no longer accepts does not become a step. Later moves to other steps
    /// go to the step of the replay after the same inputs, whatever its number.
    ///
    /// Where files were reloaded with the state kept, the replay continues from the kept state. If
    /// the current files do not lead to that state, the steps before it are not reported as
    /// differences: they cannot be replayed, and ``FlowSession/lostSteps`` names them.
    ///
    /// ```swift
    /// let differences = try await recording.replay(in: replayed) { _, _, differs in
    ///     !differs  // stops after the first difference
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - session: A session at the beginning of the recorded one.
    ///   - count: The number of inputs to play; by default all.
    ///   - skipped: The positions of inputs to leave out, from 1.
    ///   - onStep: Called after each input with its position in ``steps``, from 1, the session, and
    ///     true if the results differ; first with 0 for the beginning. `false` ends the replay.
    /// - Returns: The differences, in order.
    /// - Throws: The error of `onStep`.
    public func replay(
        in session: FlowSession, inputs count: Int? = nil, skipping skipped: Set<Int> = [],
        onStep: (Int, FlowSession, Bool) async throws(FlowError) -> Bool = { _, _, _ in true }
    ) async throws(FlowError) -> [ReplayDifference] {
        var replay = Replay(of: self, by: await session.hash, from: await session.step)
        var differs = false
        if let firstRendering {
            let now = await session.rendering.hidden(as: firstRendering)
            if now != firstRendering {
                differs = replay.add([
                    ReplayDifference(
                        step: 0, content: .rendering(recorded: firstRendering, now: now))
                ])
            }
        }
        for move in firstMoves { differs = await session.replay(move, in: &replay) || differs }
        guard try await onStep(0, session, differs) else { return replay.differences }
        for (index, step) in steps.prefix(count ?? steps.count).enumerated() {
            replay.step = step
            if skipped.contains(index + 1) {
                replay.timeline.skip(step)
                differs = false
            } else {
                let played = await session.replay(step)
                replay.timeline.add(step, played)
                differs = replay.add(played.differences)
            }
            for move in step.moves { differs = await session.replay(move, in: &replay) || differs }
            guard try await onStep(index + 1, session, differs) else { break }
        }
        return replay.differences
    }
}

private struct Replay {
    private let recording: FlowRecording
    /// The hash of the files of the replay.
    private let hash: String
    var timeline: ReplayedTimeline
    var step: FlowRecording.Step?
    private(set) var differences: [ReplayDifference] = []
    /// True if the steps since the last reload that kept the state are not those of the recording:
    /// the state has differed, or is not known, while other files played.
    var isLost: Bool
    private var reloads = 0

    init(of recording: FlowRecording, by hash: String, from step: Int) {
        self.recording = recording
        self.hash = hash
        timeline = ReplayedTimeline(first: step)
        isLost = recording.hasReplayed(after: 0)
    }

    /// True while other files played the recorded inputs, until a reload that kept the state.
    var isOfOtherFiles: Bool { recording.hasOtherFiles(after: reloads, than: hash) }

    /// Adds the differences of the last step; true if the current files led to any of them.
    mutating func add(_ new: [ReplayDifference]) -> Bool {
        guard !isOfOtherFiles else {
            isLost = isLost || !new.isEmpty
            return false
        }
        differences += new
        return !new.isEmpty
    }

    func difference(_ content: ReplayDifference.Content) -> ReplayDifference {
        ReplayDifference(step: step?.number ?? 0, input: step?.input, content: content)
    }

    /// Continues after a reload that kept the state.
    mutating func goOn() {
        reloads += 1
        isLost = recording.hasReplayed(after: reloads)
    }
}

extension FlowSession {
    /// - Returns: True if the result differs from the recorded one.
    fileprivate func replay(_ move: FlowRecording.Move, in replay: inout Replay) -> Bool {
        do throws(FlowError) {
            let step = move.step.map { replay.timeline.go(to: $0) } ?? self.step
            defer { if move.isToLast { replay.timeline.branch() } }
            guard let snapshot = move.snapshot else {
                try go(to: step)
                try player.branch(after: move)
                return false
            }
            if move.step == nil {
                if replay.isOfOtherFiles, replay.isLost || !player.shows(snapshot) {
                    player.forgetPast()
                }
                replay.goOn()
            }
            try player.go(to: step, from: snapshot)
            try player.branch(after: move)
            // A state of an older version was migrated, so it need not be the recorded one.
            replay.isLost = replay.isLost || !player.shows(snapshot)
            guard let recorded = move.rendering else { return false }
            let now = rendering.hidden(as: recorded)
            if now == recorded { return false }
            return replay.add([replay.difference(.rendering(recorded: recorded, now: now))])
        } catch {
            return replay.add([
                replay.difference(.error(recorded: nil, now: error.message))
            ])
        }
    }

    fileprivate func replay(_ step: FlowRecording.Step) -> ReplayedStep {
        // A time limit, an interrupt and the end of a process are not properties of the flow: an
        // input that they cut short is left out.
        let code = step.error.flatMap { FlowError.Code(rawValue: $0.code) }
        if let code, code.isCut, step.rendering == nil {
            return ReplayedStep(differences: [], place: self.step)
        }
        log.stoppedTime = step.input.milliseconds
        let before = rendering
        var differences: [ReplayDifference] = []
        var played: ReplayedStep {
            ReplayedStep(differences: differences, place: self.step)
        }
        _ = takeOutputs()
        var error: FlowError?
        do throws(FlowError) {
            try play(step)
        } catch let thrown {
            error = thrown
        }
        func differ(_ content: ReplayDifference.Content) {
            differences.append(
                ReplayDifference(step: step.number, input: step.input, content: content))
        }
        // The recording ends here, so missing results say nothing.
        if step.isCut, step.rendering == nil, step.error == nil { return played }
        if step.error?.code != error?.code.rawValue || step.error?.message != error?.message {
            differ(.error(recorded: step.error?.message, now: error?.message))
        }
        var outputs = takeOutputs()
        if step.isCut { outputs = Array(outputs.prefix(step.outputs.count)) }
        // Secret parts of the recorded outputs are masked, and cannot be compared.
        if outputs.count == step.outputs.count {
            outputs = zip(outputs, step.outputs).map { $0.hidden(as: $1) }
        }
        if outputs != step.outputs { differ(.outputs(recorded: step.outputs, now: outputs)) }
        if let recorded = step.rendering {
            let now = rendering.hidden(as: recorded)
            if recorded != now { differ(.rendering(recorded: recorded, now: now)) }
        } else if rendering != before {
            differ(.rendering(recorded: before, now: rendering))
        }
        return played
    }
}

extension Value {
    /// The value, masked where a recorded value is, since those parts cannot be compared.
    func hidden(as recorded: Value) -> Value {
        self == recorded ? self : hiding(as: recorded)
    }

    private func hiding(as recorded: Value) -> Value {
        switch (self, recorded) {
        case (_, .string(SecretTexts.mask)): recorded
        case (.list(let now), .list(let list)) where now.count == list.count:
            .list(of: zip(now, list).map { $0.hiding(as: $1) })
        case (.record(let now), .record(let record)):
            .record(
                Value.Record(now.map { ($0.key, $0.value.hiding(as: record[$0.key] ?? .null)) }) {
                    $1
                })
        default: self
        }
    }
}

extension FlowPlayer {
    @discardableResult
    func branch(after move: FlowRecording.Move) throws(FlowError) -> Bool {
        guard move.isToLast, isInPast else { return false }
        try branch()
        return true
    }
}
