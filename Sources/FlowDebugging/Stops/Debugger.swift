import PlainValue
import WorkflowKit
import WorkflowLua

/// Goes through what a session did: from stop to stop and from line to line, forwards and backwards.
///
/// To stop somewhere is to play that input again and to copy what is so there. So nothing is held, and a step back costs
/// what a step forward costs. The idea is that of replaying debuggers, such as rr and Replay.io.
final class Debugger {
    /// Which way to go.
    enum Direction { case forward, backward }

    let replica: Replica
    let expressions: FrameExpressions
    private(set) var moment = Moment(input: 0, line: 0)
    /// Whether failures stop.
    var stopsAtFailures = false
    /// Set from elsewhere to end a search.
    let isCancelled: () -> Bool

    private var breakpoints: [Breakpoint] = []
    private var known: [Int: StepLines] = [:]

    private let secrets: Set<String>

    /// - Parameter secrets: The names of variables and fields whose values nobody may see.
    init(
        _ replica: Replica, secrets: Set<String>, isCancelled: @escaping () -> Bool
    ) throws(FlowError) {
        self.replica = replica
        self.secrets = secrets
        self.isCancelled = isCancelled
        expressions = try replica.makeExpressions()
    }

    // MARK: Looking

    /// The lines that an input led to.
    func lines(of input: Int) throws(FlowError) -> StepLines {
        if let lines = known[input] { return lines }
        let lines = try replica.lines(of: input)
        if known.count >= 8 { known = [:] }
        known[input] = lines
        return lines
    }

    /// The lines of the input that it has stopped in.
    var lines: StepLines { get throws(FlowError) { try lines(of: moment.input) } }

    /// What is so where it has stopped, or at another line of the same input.
    func content(at line: Int? = nil) throws(FlowError) -> MomentContent {
        try replica.content(of: moment.input, at: line ?? moment.line, among: lines)
    }

    /// The lines whose calls are under way where it has stopped: its own, and those of the nodes around.
    var callers: [Int] {
        get throws(FlowError) {
            let lines = try lines
            guard lines.lines.indices.contains(moment.line) else { return [] }
            var callers = [moment.line]
            while let caller = lines.caller(of: callers[callers.count - 1]) {
                callers.append(caller)
            }
            return callers
        }
    }

    /// What is known of the code is of no more use.
    func forgetLines() { known = [:] }

    // MARK: Breakpoints

    /// Whether there is anything at which it stops or logs, besides failures.
    var hasBreakpoints: Bool { !breakpoints.isEmpty }

    /// Replaces the breakpoints.
    func set(_ breakpoints: [Breakpoint]) { self.breakpoints = breakpoints }

    /// Looks for stops in what has come in since, while it is played.
    ///
    /// - Parameter onLog: Called with what breakpoints log.
    /// - Returns: The first input that has a stop, or failed where that stops.
    func catchUp(_ onLog: (Stop) -> Void) throws(FlowError) -> Int? {
        var found: Int?
        var hits = try countHits(before: replica.playedCount)
        let finder = StopFinder(breakpoints, expressions, secrets: secrets)
        replica.catchUp(finder, hits: &hits) { number, stops, failure in
            for stop in stops where stop.log != nil { onLog(stop) }
            let stops = stops.contains { $0.log == nil } || stopsAtFailures && failure != nil
            if stops { found = found ?? number }
        }
        return found
    }

    /// What breakpoints that log would have logged so far.
    func logs(of ids: Set<Int>, _ body: (Stop) -> Void) throws(FlowError) {
        let wanted = breakpoints.filter { $0.log != nil && ids.contains($0.id) }
        guard !wanted.isEmpty else { return }
        var hits: [Int: Int] = [:]
        try replica.search(
            0..<replica.inputs.count, StopFinder(wanted, expressions, secrets: secrets), hits: &hits
        ) { _, stops, _ in
            stops.forEach(body)
            return !isCancelled()
        }
    }

    /// Goes to the next stop, or to the one before.
    ///
    /// - Returns: The stop; `nil` if there is none, and nothing has moved then.
    func goToStop(_ direction: Direction) throws(FlowError) -> Stop? {
        let stopping = breakpoints.filter { $0.log == nil }
        let finder = StopFinder(stopping, expressions, secrets: secrets)
        let here = moment
        if let stop = try stop(in: here.input, finder, direction, beyond: here.line) {
            return go(to: stop, in: here.input)
        }
        let count = replica.inputs.count
        var candidates: [Int] = []
        switch direction {
        case .forward:
            try search((here.input + 1)..<max(count, here.input + 1), finder) { number in
                candidates.append(number)
                return false
            }
        case .backward:
            // The last ones first, a piece at a time.
            var end = here.input
            while end > 0, candidates.isEmpty, !isCancelled() {
                let start = max(0, end - 64)
                try search(start..<end, finder) { number in
                    candidates.append(number)
                    return true
                }
                end = start
            }
        }
        for number in direction == .forward ? candidates : candidates.reversed() {
            if let stop = try stop(in: number, finder, direction, beyond: nil) {
                return go(to: stop, in: number)
            }
        }
        return nil
    }

    private func go(to stop: Stop, in input: Int) -> Stop {
        moment = Moment(input: input, line: stop.index)
        return stop
    }

    /// Calls `body` with each input that has stops, or fails where that stops; `false` ends it.
    private func search(
        _ inputs: Range<Int>, _ finder: StopFinder, _ body: (Int) -> Bool
    ) throws(FlowError) {
        var hits = try countHits(before: inputs.lowerBound)
        try replica.search(inputs, finder, hits: &hits) { number, stops, failure in
            guard !isCancelled() else { return false }
            let isFound = !stops.isEmpty || stopsAtFailures && failure != nil
            return isFound ? body(number) : true
        }
    }

    /// How often breakpoints that count were hit before an input.
    private func countHits(before input: Int) throws(FlowError) -> [Int: Int] {
        var hits: [Int: Int] = [:]
        let counting = breakpoints.filter { $0.hitCondition != nil }
        guard !counting.isEmpty, input > 0 else { return hits }
        try replica.search(
            0..<input, StopFinder(counting, expressions, secrets: secrets), hits: &hits
        ) { _, _, _ in
            !isCancelled()
        }
        return hits
    }

    /// The first or last stop of an input beyond one of its lines.
    private func stop(
        in input: Int, _ finder: StopFinder, _ direction: Direction, beyond line: Int?
    ) throws(FlowError) -> Stop? {
        let lines = try lines(of: input)
        guard !lines.lines.isEmpty else { return nil }
        var hits = try countHits(before: input)
        var stops = try replica.stops(of: input, finder, hits: &hits)
        for index in stops.indices {
            stops[index].index = min(stops[index].index, lines.lines.count - 1)
        }
        if stopsAtFailures, let failure = lines.failure,
            let stop = Self.stop(at: failure, in: lines)
        {
            stops.append(stop)
            stops.sort { $0.index < $1.index }
        }
        return switch direction {
        case .forward: stops.first { stop in line.map { stop.index > $0 } ?? true }
        case .backward: stops.last { stop in line.map { stop.index < $0 } ?? true }
        }
    }

    /// The last line that was run before a failure.
    private static func stop(at failure: FlowError, in lines: StepLines) -> Stop? {
        let last = lines.lines.indices.last { index in
            let location = lines.location(of: index)
            return location.file == failure.location?.file
                && location.line == failure.location?.line
        }
        guard let index = last ?? lines.lines.indices.last else { return nil }
        return Stop(index: index, reason: .exception, location: lines.location(of: index))
    }

    // MARK: Lines

    /// Goes to the first line that was run, or to the last one.
    ///
    /// - Returns: Whether any was run.
    @discardableResult
    func goToEnd(_ direction: Direction) throws(FlowError) -> Bool {
        let count = replica.inputs.count
        for input in direction == .backward ? Array(0..<count) : (0..<count).reversed() {
            let last = try lines(of: input).lines.count - 1
            guard last >= 0 else { continue }
            moment = Moment(input: input, line: direction == .backward ? 0 : last)
            return true
        }
        return false
    }

    /// Goes to where an input failed, or else to its last line.
    func goToFailure(of input: Int) throws(FlowError) -> Stop? {
        let lines = try lines(of: input)
        guard let failure = lines.failure, let stop = Self.stop(at: failure, in: lines) else {
            return nil
        }
        return go(to: stop, in: input)
    }

    /// Goes to the first line of an input.
    func go(toInput input: Int) { moment = Moment(input: input, line: 0) }

    /// Stands before the first line of the input, so that it is the next.
    func moveBeforeFirstLine() { moment.line = -1 }

    /// Goes to the first line of the call of a node that is under way.
    func goToBeginningOfCall() throws(FlowError) {
        let lines = try lines.lines
        let call = lines[moment.line].call
        if let first = lines.firstIndex(where: { $0.call == call }) { moment.line = first }
    }

    /// Goes one line on or back.
    ///
    /// - Parameter entersCalls: Whether lines of functions that are called count; else calls are passed over.
    /// - Returns: Whether there is such a line.
    func step(_ direction: Direction, entersCalls: Bool) throws(FlowError) -> Bool {
        if entersCalls { return try go(direction) { _ in true } }
        let depth = try lines.lines[moment.line].depth
        return try go(direction) { $0 <= depth }
    }

    /// Goes to the line after the function that is under way.
    func stepOut() throws(FlowError) -> Bool {
        let depth = try lines.lines[moment.line].depth
        return try go(.forward) { $0 < depth }
    }

    private func go(
        _ direction: Direction, where fits: (StepLines.Depth) -> Bool
    ) throws(FlowError) -> Bool {
        let lines = try lines.lines
        let call = lines[moment.line].call
        let found: Int? =
            switch direction {
            case .forward:
                lines.indices.dropFirst(moment.line + 1).first {
                    fits(lines[$0].depth) || lines[$0].call > call && lines[$0].depth.nodes == 1
                }
            case .backward:
                lines[..<moment.line].lastIndex {
                    fits($0.depth) || $0.call < call && $0.depth.nodes == 1
                }
            }
        if let found {
            moment.line = found
            return true
        }
        var input = moment.input
        while !isCancelled() {
            input += direction == .forward ? 1 : -1
            guard replica.inputs.indices.contains(input) else { return false }
            let lines = try self.lines(of: input).lines
            guard !lines.isEmpty else { continue }
            let outermost = lines.map(\.depth).min() ?? lines[0].depth
            let line: Int? =
                direction == .forward
                ? 0
                : fits(lines[lines.count - 1].depth)
                    ? lines.count - 1 : lines.lastIndex { fits($0.depth) || $0.depth == outermost }
            moment = Moment(input: input, line: line ?? 0)
            return true
        }
        return false
    }
}
