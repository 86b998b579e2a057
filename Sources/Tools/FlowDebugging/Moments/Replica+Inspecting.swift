import LuaVM
import PlainValue
import WorkflowKit
import WorkflowLua

extension Replica {
    /// Plays an input again. If it was cut short, `count` of its lines are played, with a time
    /// limit: it may never end.
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
        return try player.replay(played.input, after: played.after, byCodeOfNow: isEdited, trace)
    }

    /// The lines that ran for an input, from `first` on. Its own error is in ``StepLines/failure``.
    func lines(of number: Int, from first: Int = 0) throws(FlowError) -> StepLines {
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

    /// The number of lines that ran for an input, at most `most`; throws if it was interrupted.
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

    /// The content of the moment before the line at an index of `lines` runs.
    func content(
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
    /// It is `nil` if ``MomentContent/frames`` has no such frame. Names that are no variables of
    /// the frame have the values of `others`.
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
        if !isOther, let value = expressions.quickValue(of: expression, at: moment, level: level),
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

    /// Plays an input again and calls a function before each line up to the one at an index.
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

    /// The stop of an input that the finder wants, and the error of the input. If it was cut short,
    /// `count` of its lines are played.
    func stop(
        of number: Int, _ finder: StopFinder, through count: Int
    ) throws(FlowError) -> (stop: Stop?, failure: FlowError?) {
        let step = try replay(inputs[number], finder.trace, through: count)
        let stop = finder.takeStop(rendering: (step.renderingBefore, step.rendering))
        return (stop, step.failure)
    }

    /// Finds the inputs that have stops. Calls `body` with the number of each input, whether it has
    /// a stop, and its error if it failed, until that returns false.
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
                    location: .init(file: function.location.chunk, line: function.location.line),
                    locals: moment.locals(at: level), upvalues: moment.upvalues(at: level)))
        }
    }
}
