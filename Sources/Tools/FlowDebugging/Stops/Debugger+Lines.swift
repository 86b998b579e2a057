import WorkflowLua

extension Debugger {
    /// Goes to the first line that ran, or to the last one of `most` lines of an input; false if
    /// none ran.
    @discardableResult
    func goToEnd(_ direction: Direction, upTo most: Int = .max) throws(FlowError) -> Bool {
        let count = replica.inputs.count
        for input in direction == .backward ? Array(0..<count) : (0..<count).reversed() {
            try lookAtEnd(direction, of: input, upTo: most)
            let last = try lines(of: input).lines.count - 1
            guard last >= 0 else { continue }
            moment = Moment(input: input, line: direction == .backward ? 0 : last)
            return true
        }
        return false
    }

    /// Goes to the line where an input failed, or to its last line.
    func goToFailure(of input: Int) throws(FlowError) -> Stop? {
        let lines = try lines(of: input)
        guard let failure = lines.failure, let stop = Self.stop(at: failure, in: lines) else {
            return nil
        }
        return try go(to: stop, in: input)
    }

    /// Goes to the first line of an input.
    func go(toInput input: Int) {
        look(at: input, from: 0)
        moment = Moment(input: input, line: 0)
    }

    /// Moves before the first line of the input, so that it is the next.
    func moveBeforeFirstLine() { moment.line = -1 }

    func goToBeginningOfCall() throws(FlowError) {
        guard let call = try here?.call else { return }
        if let first = try lines.lines.firstIndex(where: { $0.call == call }) {
            moment.line = first
        }
    }

    /// Goes one line forward or back, into calls or over them; false if there is no such line.
    func step(_ direction: Direction, entersCalls: Bool) throws(FlowError) -> Bool {
        guard !entersCalls, let depth = try here?.depth else { return try go(direction) }
        return try go(direction) { $0 <= depth }
    }

    func stepOut() throws(FlowError) -> Bool {
        guard let depth = try here?.depth else { return try go(.forward) }
        return try go(.forward) { $0 < depth }
    }

    /// - Parameter fits: The lines that count; `nil`: all.
    private func go(
        _ direction: Direction, where fits: ((StepLines.Depth) -> Bool)? = nil
    ) throws(FlowError) -> Bool {
        let lines = try lines.lines
        let call = try here?.call ?? 0
        let found: Int? =
            switch direction {
            case .forward:
                lines.indices.dropFirst(moment.line + 1).first {
                    fits?(lines[$0].depth) ?? true
                        || lines[$0].call > call && lines[$0].depth.nodes == 1
                }
            case .backward:
                lines.prefix(max(moment.line, 0)).lastIndex {
                    fits?($0.depth) ?? true || $0.call < call && $0.depth.nodes == 1
                }.map { last in
                    let isOver = lines[last].call < call && lines[moment.line].depth.nodes == 1
                    return isOver && fits != nil ? Self.outermost(last, lines) : last
                }
            }
        if let found {
            moment.line = found
            return true
        }
        if try lookFurther(direction) { return try go(direction, where: fits) }
        let inputs = replica.inputs
        var input = moment.input
        while !isCancelled() {
            input += direction == .forward ? 1 : -1
            guard inputs.indices.contains(input) else { return false }
            if let fits, inputs[moment.input].testLines != nil {
                // What the flow does for a line of the test is stepped over.
                guard inputs[input].testLines != nil else { continue }
                let lines = try self.lines(of: input).lines
                let isThere: (StepLines.Line) -> Bool = { fits($0.depth) }
                guard
                    let line = direction == .forward
                        ? lines.firstIndex(where: isThere) : lines.lastIndex(where: isThere)
                else { continue }
                moment = Moment(input: input, line: line)
                return true
            }
            try lookAtEnd(direction == .forward ? .backward : .forward, of: input)
            let lines = try self.lines(of: input).lines
            guard let end = lines.indices.last else { continue }
            let last = lines.lastIndex { $0.depth.nodes <= 1 } ?? end
            let line =
                direction == .forward
                ? 0
                : fits == nil || inputs[input].testLines != nil ? end : Self.outermost(last, lines)
            moment = Moment(input: input, line: line)
            return true
        }
        return false
    }

    /// The last line of the call of a node that a line belongs to, up to that: of the node's
    /// function itself, not of one that it has called.
    private static func outermost(_ index: Int, _ lines: [StepLines.Line]) -> Int {
        let own = lines[...index].filter { $0.call == lines[index].call }
        let depth = own.map(\.depth).min()
        return lines[...index].lastIndex { $0.call == lines[index].call && $0.depth == depth }
            ?? index
    }
}
