import LuaVM
package import PlainValue
package import WorkflowKit
package import WorkflowLua

/// A copy of a session in which the debugger plays its inputs again.
///
/// The session itself is not touched: it may be live, in another process, or ended. In the copy workers do nothing and
/// nothing is printed. Only the isolation that creates a replica may use it.
package final class Replica {
    private var played: [PlayedInput] = []
    /// Inputs that are played when they are needed.
    private var waiting: [DebuggedInput] = []
    /// The first input whose result differs from the recording. The inputs after it do not show the past.
    package private(set) var firstDifference: Int?
    /// Inputs before a reload that kept the state, which other files have led to: these are not
    /// here any more.
    package private(set) var lost: [Range<Int>] = []

    /// The lines of the test that played the session, if one did.
    let test: TestLines?
    /// The number of recorded inputs played so far, including the beginning.
    private var recordedCount = 0
    private let player: any PlayedFlow
    private let limits: LuaVM.Configuration
    /// The flow's folder as the user named it; empty if it has none.
    package let folder: String
    private let interruption: FlowInterrupt
    /// The step that the session shows.
    private var shown = 0
    /// True after the files were reloaded: inputs are played by the code of now then, each from the
    /// state that it met.
    private var isEdited = false
    private let recording: FlowRecording
    /// The first input since the last of the reloads that kept the state.
    private var firstOfCode = 0
    private var reloads = 0
    /// True if the inputs since then began with another state.
    private var isLost = false

    /// Loads a flow and plays its beginning.
    ///
    /// - Parameters:
    ///   - test: The test that played the session, if one did.
    ///   - interruption: Stops what is being played.
    /// - Throws: A `FlowError` if the flow cannot be loaded.
    package init(
        of recording: FlowRecording, _ source: FlowSource, by test: (any DebuggedTest)? = nil,
        options: FlowOptions, interruption: FlowInterrupt, owner: any Actor
    ) throws(FlowError) {
        var (options, snapshot) = try recording.beginning(options)
        options.limits.isolation = .none
        limits = options.limits
        folder = if case .file(let path) = source { path.folderOfPath } else { "" }
        self.recording = recording
        self.test = try test.map { (test) throws(FlowError) in try TestLines(test) }
        self.interruption = interruption
        player = options.makeFlow(interruption: interruption, owner: owner)
        addTestLines()
        var beginning = PlayedInput(nil, after: 0, isStep: true)
        do throws(FlowError) {
            try player.open(source, restoring: snapshot)
        } catch {
            beginning.isCut = error.code.isCut
            // The debugger can inspect a flow that was loaded but fails to render.
            guard player.flow != nil else { throw error }
        }
        if let first = recording.firstRendering, first != player.rendering {
            firstDifference = played.count
        }
        played.append(beginning)
        for move in recording.firstMoves { follow(move) }
        recordedCount = 1
        addTestLines()
    }

    /// Adds the lines that the test ran after the recorded inputs so far and before the next.
    private func addTestLines() {
        for (lines, step) in test?.ranges[recordedCount] ?? [] {
            played.append(PlayedInput(testLines: lines, after: step))
        }
    }

    /// Plays the next recorded step.
    package func play(_ step: FlowRecording.Step) throws(FlowError) {
        try goToShown()
        let before = player.rendering
        let code = step.error.flatMap { FlowError.Code(rawValue: $0.code) }
        let isInterrupted = step.rendering == nil && code?.isCut ?? false
        try play(step.input, isInterrupted: isInterrupted)
        let isOpen = step.isCut && step.rendering == nil
        if firstDifference == nil, !isOpen, player.rendering != step.rendering ?? before {
            firstDifference = played.count - 1
        }
        for move in step.moves { follow(move) }
        recordedCount += 1
        addTestLines()
    }

    /// Goes to another step when that is needed, or goes on from a state that a reload kept.
    private func follow(_ move: FlowRecording.Move) {
        shown = move.step ?? shown
        do throws(FlowError) {
            if let snapshot = move.snapshot {
                if move.step == nil {
                    try goToShown()
                    goOn(isAsRecorded: !isLost && firstDifference == nil && player.shows(snapshot))
                }
                try player.go(to: shown, from: snapshot)
                // A state of another version was migrated.
                isLost = isLost || !player.shows(snapshot)
            }
            if shown < player.stepCount, move.isToLast {
                try goToShown()
                if try player.branch(after: move) { giveUp(after: shown) }
            }
        } catch {
            firstDifference = firstDifference ?? played.count - 1
        }
    }

    /// Goes on by what was loaded in a reload.
    private func goOn(isAsRecorded: Bool) {
        if recording.hasOtherFiles(after: reloads, than: player.flow?.hash ?? "") {
            let first = isLost ? firstOfCode : firstDifference ?? firstOfCode
            if !isAsRecorded { lost.append(first..<played.count) }
            firstDifference = nil
        }
        (isLost, firstOfCode, reloads) = (false, played.count, reloads + 1)
    }

    /// Adds the next input, which is played when it is needed.
    ///
    /// - Returns: The number of the input before it, if that was under way: this one is in its
    ///   place.
    @discardableResult
    package func add(_ input: DebuggedInput) -> Int? {
        var replaced: Int?
        if waiting.last?.isUnderWay == true {
            waiting.removeLast()
        } else if waiting.isEmpty, played.last?.isUnderWay == true {
            played.removeLast()
            replaced = played.count
        }
        waiting.append(input)
        return replaced
    }

    private func catchUp() {
        let next = waiting
        waiting = []
        for input in next { play(input) }
    }

    /// Plays the waiting inputs and looks for stops.
    ///
    /// - Parameter body: Called with the number of each input, whether it has a stop, and its error if it failed.
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
        // The session accepted the input. If the copy does not, they differ.
        do throws(FlowError) {
            let failure = try play(input.input, isInterrupted: input.isInterrupted)
            played[played.count - 1].isUnderWay = input.isUnderWay
            return failure
        } catch {
            firstDifference = firstDifference ?? played.count
            return nil
        }
    }

    private func goToShown() throws(FlowError) {
        if shown != player.step { try player.go(to: shown) }
    }

    /// The number of inputs played so far, including the beginning.
    var playedCount: Int { played.count }

    /// All inputs in order, starting with the beginning.
    package var inputs: [PlayedInput] {
        catchUp()
        return played
    }

    /// - Parameter isInterrupted: Whether the input was interrupted, so that it had no effect.
    /// - Returns: The error if the input failed.
    @discardableResult
    private func play(
        _ input: FlowInput, isInterrupted: Bool
    ) throws(FlowError) -> FlowError? {
        let isPast = shown < played.last(where: \.isStep)?.step ?? 0
        try goToShown()
        let step = player.step
        player.stoppedTime = input.milliseconds
        // Failed inputs are kept too.
        var failure: FlowError?
        if !isInterrupted {
            do throws(FlowError) { try player.play(input) } catch { failure = error }
        }
        _ = player.takeOutputs()
        shown = player.step
        if isPast, shown > step { giveUp(after: step) }
        played.append(
            PlayedInput(
                input, after: step, isStep: shown > step,
                isCut: isInterrupted || failure?.code.isCut ?? false))
        return failure
    }

    /// Drops the steps after one, and the failed inputs after those.
    private func giveUp(after step: Int) {
        played.removeAll {
            $0.input != nil && ($0.isStep ? $0.after >= step : $0.after > step)
        }
        if firstDifference ?? 0 >= played.count { firstDifference = nil }
        firstOfCode = min(firstOfCode, played.count)
        lost = lost.map { $0.clamped(to: 0..<played.count) }.filter { !$0.isEmpty }
    }

    /// Whether all that led to an input was as recorded.
    func isAsRecorded(_ number: Int) -> Bool {
        number < (isLost ? firstOfCode : firstDifference ?? .max)
            && !lost.contains { $0.contains(number) }
    }

    /// The flow's files, relative to ``folder``.
    package var files: [String] { player.flow?.files ?? [] }
    /// The rendering after the last input.
    package var rendering: Value {
        catchUp()
        return player.rendering
    }
    /// The action types of the root.
    package var actionTypes: [String] { player.flow?.actionTypes ?? [] }

    /// The functions of the nodes rendered so far.
    var functions: [(node: String, phase: FlowPhase)] { player.flow?.functions ?? [] }

    /// Reloads the flow's files, so that inputs are played by the current code.
    ///
    /// - Throws: A `FlowError` if the flow cannot be loaded; the old code stays.
    package func reload() throws(FlowError) {
        catchUp()
        try player.reload(.keepingState)
        isEdited = true
    }

    /// An interpreter for expressions, with the flow's limits.
    func makeExpressions() throws(FlowError) -> FrameExpressions {
        try FrameExpressions(limits: limits)
    }

    // MARK: Inspecting

    /// Plays an input again. There is no time limit, unless the input was cut short the first time:
    /// then it may never end, and the client waits.
    ///
    /// - Parameter count: How many lines to play of an input that was cut short.
    private func replay(
        _ played: PlayedInput, _ trace: FlowTrace, through count: Int = .max
    ) throws(FlowError) -> Rehearsal.Played {
        var trace = trace
        let timeout = played.isCut ? Timeout(of: interruption) : nil
        defer { timeout?.cancel() }
        if played.isCut {
            trace.patience = 1
            let onMoment = trace.onMoment
            let lines = trace.countsLines ? trace.lines : nil
            var left = count
            trace.onMoment = { [interruption] call, moment in
                left = lines.map { count - $0.passedCount } ?? left - (moment.isReturn ? 0 : 1)
                if left >= 0 { onMoment(call, moment) } else { interruption.stop() }
            }
        }
        return try player.replay(
            played.input, after: played.after, byCodeOfNow: isEdited, trace)
    }

    /// The lines that ran for an input.
    ///
    /// - Parameter first: How many lines to skip.
    /// - Throws: A `FlowError` if the input cannot be played again. An error of the input itself is in
    ///   ``StepLines/failure``.
    package func lines(of number: Int, from first: Int = 0) throws(FlowError) -> StepLines {
        let played = inputs[number]
        if let test, let range = played.testLines { return test.stepLines(range) }
        var lines = StepLines(
            from: first, most: played.isCut ? StepLines.mostOfLoop : StepLines.most)
        let trace = FlowTrace { [interruption] call, moment in
            // Ends an endless loop.
            if !lines.add(call, moment) { interruption.stop() }
        }
        lines.failure = try replay(played, trace).failure
        return lines
    }

    /// The number of lines that ran for an input.
    ///
    /// - Parameter most: The number at which it stops counting.
    /// - Throws: A `FlowError` if it was interrupted.
    func countLines(of number: Int, upTo most: Int) throws(FlowError) -> Int {
        var count = 0
        let trace = FlowTrace { [interruption] _, _ in
            count += 1
            if count >= most { interruption.stop() }
        }
        let failure = try replay(inputs[number], trace).failure
        if let failure, failure.code == .interrupted, count < most { throw failure }
        return count
    }

    /// The content of the moment before a line runs.
    ///
    /// - Parameter index: The index of the line in `lines`.
    package func content(
        of number: Int, at index: Int, among lines: StepLines
    ) throws(FlowError) -> MomentContent {
        if let test, let range = inputs[number].testLines {
            return try test.content(at: range.lowerBound + index)
        }
        var content = MomentContent()
        guard let wanted = lines.call(at: index)?.number else { return content }
        let step = try replay(number, to: index, among: lines) { call, moment, isThere in
            if call.number == Int(wanted), content.stateBefore == nil {
                content.stateBefore = call.state(at: moment)
            }
            if isThere { content.read(call, moment) }
        }
        content.rendering = step.renderingBefore ?? .null
        return content
    }

    /// The value of an expression before a line runs: read where it lies if that is possible, else
    /// from copies, of which it may call functions.
    ///
    /// - Parameters:
    ///   - others: The values of names if the frame has no variables of these names.
    ///   - frame: The index of the frame in ``MomentContent/frames``.
    /// - Returns: `nil` if there is no such frame.
    /// - Throws: A `FlowError` if it fails, or does not end.
    func value(
        of expression: FrameExpression, by expressions: FrameExpressions,
        where others: [String: Value], of number: Int, at index: Int, frame: Int,
        among lines: StepLines
    ) throws(FlowError) -> LuaVariable? {
        var result: Result<LuaVariable, FlowError>?
        func read(_ moment: borrowing LuaMoment) {
            guard let level = moment.scriptLevel(ofFrame: frame) else { return }
            result = Result { () throws(FlowError) in
                try value(of: expression, by: expressions, where: others, moment, level: level)
            }
        }
        if let test, let range = inputs[number].testLines {
            try test.look(at: range.lowerBound + index, read)
        } else {
            _ = try replay(number, to: index, among: lines) { _, moment, isThere in
                if isThere { read(moment) }
            }
        }
        return try result?.get()
    }

    private func value(
        of expression: FrameExpression, by expressions: FrameExpressions,
        where others: [String: Value], _ moment: borrowing LuaMoment, level: Int
    ) throws(FlowError) -> LuaVariable {
        let isOther = expression.names.contains { name in
            guard others[name] != nil else { return false }
            if case .noVariable = moment.value(of: LuaRead(name), at: level) { return true }
            return false
        }
        if !isOther,
            let value = expressions.quickValue(of: expression, at: moment, level: level),
            value != .null
        {
            return LuaVariable(value: value)
        }
        let timeout = Timeout(of: interruption)
        defer { timeout.cancel() }
        do throws(FlowError) {
            return try moment.value(of: expression, level: level, where: others)
        } catch {
            let isOver = error.code == .interrupted && timeout.isOver
            guard isOver || error.code == .instructionLimit else { throw error }
            throw expression.didNotEnd(isOver ? .timeLimit : error.code)
        }
    }

    /// Plays an input again and calls a function before each line up to the one at an index, which
    /// is told.
    private func replay(
        _ number: Int, to index: Int, among lines: StepLines,
        _ body: (TracedCall, borrowing LuaMoment, _ isThere: Bool) -> Void
    ) throws(FlowError) -> Rehearsal.Played {
        let last = lines.first + index
        var next = 0
        return try withoutActuallyEscaping(body) { (body) throws(FlowError) in
            let trace = FlowTrace { [interruption] call, moment in
                if next <= last { body(call, moment, next == last) }
                if next > last, lines.isCut { interruption.stop() }
                next += 1
            }
            return try replay(inputs[number], trace)
        }
    }

    /// The stop of an input that the finder wants, with the index of its line, and the error of the
    /// input.
    ///
    /// - Parameter count: How many lines to play of an input that was cut short.
    func stop(
        of number: Int, _ finder: StopFinder, through count: Int
    ) throws(FlowError) -> (stop: Stop?, failure: FlowError?) {
        let step = try replay(inputs[number], finder.trace, through: count)
        let stop = finder.takeStop(rendering: (step.renderingBefore, step.rendering))
        return (stop, step.failure)
    }

    /// Finds the inputs that have stops.
    ///
    /// - Parameter body: Called with the number of each input, whether it has a stop, and its error if it failed.
    ///   `false` ends the search.
    func search(
        _ numbers: Range<Int>, _ finder: StopFinder, _ body: (Int, Bool, FlowError?) -> Bool
    ) throws(FlowError) {
        var first = numbers.lowerBound
        while first < numbers.upperBound {
            // Consecutive steps are played together.
            if let range = inputs[first].testLines {
                guard body(first, false, test?.error(in: range)) else { return }
                first += 1
                continue
            }
            var last = first
            while !isEdited, last + 1 < numbers.upperBound, inputs[last].isWhole,
                inputs[last + 1].isWhole
            {
                last += 1
            }
            var goesOn = true
            if inputs[first].isWhole, !isEdited {
                var number = first
                try player.replay(
                    inputs[first].step...inputs[last].step, finder.quickTrace
                ) { step in
                    let stop = finder.takeStop(rendering: (step.renderingBefore, step.rendering))
                    goesOn = body(number, stop != nil, step.failure)
                    number += 1
                    return goesOn
                }
            } else {
                let step = try replay(inputs[first], finder.quickTrace)
                let stop = finder.takeStop(rendering: (step.renderingBefore, step.rendering))
                goesOn = body(first, stop != nil, step.failure)
            }
            guard goesOn else { return }
            first = last + 1
        }
    }
}

extension LuaMoment {
    /// The level of a frame, which is a call of a function in Lua.
    fileprivate func scriptLevel(ofFrame frame: Int) -> Int? {
        var scripts = 0
        for level in 0..<depth where (call(at: level)?.location.line ?? 0) > 0 {
            if scripts == frame { return level }
            scripts += 1
        }
        return nil
    }
}

extension MomentContent {
    fileprivate mutating func read(_ call: TracedCall, _ moment: borrowing LuaMoment) {
        node = call.node
        phase = call.phase
        props = call.props
        state = call.state(at: moment)
        action = call.action
        readFrames(moment, of: phase.description)
    }

    /// - Parameter name: The name of the outermost function.
    mutating func readFrames(_ moment: borrowing LuaMoment, of name: String) {
        let depth = moment.depth
        for level in 0..<depth {
            guard let function = moment.call(at: level), function.location.line > 0 else {
                continue
            }
            let isOutermost = level == depth - 1
            frames.append(
                Frame(
                    name: isOutermost ? name : function.function ?? "function",
                    location: .init(
                        file: function.location.chunk, line: function.location.line),
                    locals: moment.locals(at: level), upvalues: moment.upvalues(at: level)))
        }
    }
}
