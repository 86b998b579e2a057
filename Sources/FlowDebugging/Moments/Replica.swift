import LuaVM
package import PlainValue
package import WorkflowKit
package import WorkflowLua

/// A second life of a session, in which its inputs are played again to look into them.
///
/// The session itself is never touched: it may be live, in another process, or long over. Workers do nothing here and
/// nothing is printed. Belongs to the isolation that makes it.
package final class Replica {
    private var played = [PlayedInput(nil, after: 0, isStep: true)]
    /// What came in and is played when somebody looks.
    private var waiting: [DebuggedInput] = []
    /// The first input that did not come to what is recorded, and of those after it none is the past.
    package private(set) var firstDifference: Int?

    private let player: FlowPlayer
    private let log: FlowEventLog
    private let interruption: FlowInterrupt
    /// Where the session stands.
    private var shown = 0

    /// Loads a flow and plays its beginning.
    ///
    /// - Parameter interruption: Stops what is being played.
    /// - Throws: The `FlowError` that keeps it from loading.
    package init(
        of recording: FlowRecording, _ source: FlowSource, options: FlowOptions,
        interruption: FlowInterrupt, owner: any Actor
    ) throws(FlowError) {
        var (options, snapshot) = try recording.beginning(options)
        options.limits.isolation = .none
        log = FlowEventLog(now: { 0 }, journal: nil, onEvent: { _ in })
        self.interruption = interruption
        player = FlowPlayer(
            options: options, log: log, workers: SilentWorkers(),
            interruption: interruption, owner: owner)
        do throws(FlowError) {
            try player.open(source, restoring: snapshot)
        } catch {
            played[0].isCut = error.code.isCut
            // A flow that was loaded and cannot be rendered can be looked into.
            guard player.flow != nil else { throw error }
        }
        if let first = recording.firstRendering, first != player.rendering { firstDifference = 0 }
        for move in recording.firstMoves { shown = move }
    }

    /// Plays what was recorded next.
    package func play(_ step: FlowRecording.Step) throws(FlowError) {
        try goToShown()
        let before = player.rendering
        let code = step.error.flatMap { FlowError.Code(rawValue: $0.code) }
        let isInterrupted = step.rendering == nil && code?.isCut ?? false
        try play(step.input, isInterrupted: isInterrupted)
        for move in step.moves { shown = move }
        let isOpen = step.isCut && step.rendering == nil
        if firstDifference == nil, !isOpen, player.rendering != step.rendering ?? before {
            firstDifference = played.count - 1
        }
    }

    /// Adds what came next, which is played when somebody looks.
    package func add(_ input: DebuggedInput) { waiting.append(input) }

    private func catchUp() {
        let next = waiting
        waiting = []
        for input in next { play(input) }
    }

    /// Plays what waits, and looks for stops meanwhile.
    ///
    /// - Parameter body: Called with each input and whether it has a stop, and why it failed, if it did.
    func catchUp(_ finder: StopFinder, _ body: (Int, Bool, FlowError?) -> Void) {
        let next = waiting
        waiting = []
        for input in next {
            let before = player.rendering
            try? player.flow?.setTrace(finder.quickTrace)
            let failure = play(input)
            try? player.flow?.setTrace(nil)
            let stop = finder.takeStop(rendering: (before, player.rendering))
            body(played.count - 1, stop != nil, failure)
        }
    }

    @discardableResult
    private func play(_ input: DebuggedInput) -> FlowError? {
        // What a session took its copy takes too, or it differs, which is told.
        do throws(FlowError) {
            return try play(input.input, isInterrupted: input.isInterrupted)
        } catch {
            firstDifference = firstDifference ?? played.count
            return nil
        }
    }

    private func goToShown() throws(FlowError) {
        if shown != player.step { try player.go(to: shown) }
    }

    /// How many inputs were played by now, the beginning being one.
    var playedCount: Int { played.count }

    /// What came in, in order; the first is the beginning.
    package var inputs: [PlayedInput] {
        catchUp()
        return played
    }

    /// - Parameter isInterrupted: Whether it was stopped before it ended, so that nothing came of it.
    /// - Returns: Why it failed, if it did.
    @discardableResult
    private func play(
        _ input: FlowInput, isInterrupted: Bool
    ) throws(FlowError) -> FlowError? {
        let isPast = shown < player.timeline.count
        try goToShown()
        let step = player.step
        log.stoppedTime = input.milliseconds
        // An input that failed is of interest too.
        var failure: FlowError?
        if !isInterrupted {
            do throws(FlowError) { try player.play(input) } catch { failure = error }
        }
        _ = player.takeOutputs()
        shown = player.step
        if isPast, shown > step {
            // The steps after it are given up, and with them what failed after those.
            played.removeAll {
                $0.input != nil && ($0.isStep ? $0.after >= step : $0.after > step)
            }
        }
        played.append(
            PlayedInput(
                input, after: step, isStep: shown > step,
                isCut: isInterrupted || failure?.code.isCut ?? false))
        return failure
    }

    /// The flow's files, relative to its folder.
    package var files: [String] { player.flow?.files ?? [] }
    /// That folder, as it was named.
    package var folder: String { player.folder }
    /// The rendering at the end.
    package var rendering: Value {
        catchUp()
        return player.rendering
    }
    /// The types of action that the root takes.
    package var actionTypes: [String] { player.flow?.actionTypes ?? [] }

    /// The functions of the nodes that were rendered by now.
    var functions: [(node: String, phase: FlowPhase)] { player.flow?.functions ?? [] }

    /// Loads the flow's files again, so that what is played again is played by the code as it is now.
    ///
    /// - Throws: The `FlowError` that keeps it from loading; the old code stays.
    package func reload() throws(FlowError) {
        catchUp()
        try player.reload(.keepingState)
    }

    /// An interpreter for expressions, with the limits of the flow.
    func makeExpressions() throws(FlowError) -> FrameExpressions {
        try FrameExpressions(limits: player.options.limits)
    }

    // MARK: Looking

    /// Plays an input again. What has ended ends again, however long that takes; what something has cut short may not.
    private func retrace(
        _ played: PlayedInput, _ trace: FlowTrace
    ) throws(FlowError) -> RetracedStep {
        var trace = trace
        if played.isCut { trace.patience = 1 }
        return try player.retrace(played.input, after: played.after, trace)
    }

    /// The lines that an input led to.
    ///
    /// - Parameter first: How many of them are passed over.
    /// - Throws: A `FlowError` if it cannot be played again. What it came to is in ``StepLines/failure``.
    package func lines(of number: Int, from first: Int = 0) throws(FlowError) -> StepLines {
        var lines = StepLines(from: first)
        let played = inputs[number]
        let trace = FlowTrace { [interruption] call, moment in
            // What never ends is ended here.
            if !lines.add(call, moment) { interruption.stop() }
        }
        lines.failure = try retrace(played, trace).failure
        return lines
    }

    /// How many lines an input led to.
    func countLines(of number: Int) throws(FlowError) -> Int {
        var count = 0
        _ = try retrace(inputs[number], FlowTrace { _, _ in count += 1 })
        return count
    }

    /// What is so before a line is run.
    ///
    /// - Parameter index: The place of the line among those that are kept.
    package func content(
        of number: Int, at index: Int, among lines: StepLines
    ) throws(FlowError) -> MomentContent {
        var content = MomentContent()
        guard let wanted = lines.call(at: index)?.number else { return content }
        let played = inputs[number]
        let last = lines.first + index
        var next = 0
        let trace = FlowTrace { [interruption] call, moment in
            defer { next += 1 }
            if call.number == Int(wanted), content.stateBefore == nil {
                content.stateBefore = call.state(at: moment)
            }
            if next == last { content.read(call, moment) }
            if next > last, lines.isCut { interruption.stop() }
        }
        let step = try retrace(played, trace)
        content.rendering = step.renderingBefore ?? .null
        return content
    }

    /// The stop of an input that is wanted, with its place among its lines.
    func stop(of number: Int, _ finder: StopFinder) throws(FlowError) -> Stop? {
        let step = try retrace(inputs[number], finder.trace)
        return finder.takeStop(rendering: (step.renderingBefore, step.rendering))
    }

    /// Looks which of some inputs have stops.
    ///
    /// - Parameter body: Called with the number of each input, whether it has a stop, and why it failed, if it did; `false` ends it.
    func search(
        _ numbers: Range<Int>, _ finder: StopFinder, _ body: (Int, Bool, FlowError?) -> Bool
    ) throws(FlowError) {
        var first = numbers.lowerBound
        while first < numbers.upperBound {
            // Steps that follow each other are played in one go.
            var last = first
            while last + 1 < numbers.upperBound, inputs[last].isWhole, inputs[last + 1].isWhole {
                last += 1
            }
            var goesOn = true
            if inputs[first].isWhole {
                var number = first
                try player.retrace(
                    inputs[first].step...inputs[last].step, finder.quickTrace
                ) { step in
                    let stop = finder.takeStop(rendering: (step.renderingBefore, step.rendering))
                    goesOn = body(number, stop != nil, step.failure)
                    number += 1
                    return goesOn
                }
            } else {
                let step = try retrace(inputs[first], finder.quickTrace)
                let stop = finder.takeStop(rendering: (step.renderingBefore, step.rendering))
                goesOn = body(first, stop != nil, step.failure)
            }
            guard goesOn else { return }
            first = last + 1
        }
    }
}

extension MomentContent {
    fileprivate mutating func read(_ call: TracedCall, _ moment: borrowing LuaMoment) {
        node = call.node
        phase = call.phase
        props = call.props
        state = call.state(at: moment)
        action = call.action
        let depth = moment.depth
        for level in 0..<depth {
            guard let function = moment.call(at: level), function.location.line > 0 else {
                continue
            }
            let isOutermost = level == depth - 1
            frames.append(
                Frame(
                    name: isOutermost ? phase.description : function.function ?? "function",
                    location: .init(
                        file: function.location.chunk, line: function.location.line),
                    locals: moment.locals(at: level), upvalues: moment.upvalues(at: level)))
        }
    }
}
