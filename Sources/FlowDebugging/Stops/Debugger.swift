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
    var moment = Moment(input: 0, line: 0)
    /// The failures that stop.
    var failures = StoppingFailures()
    /// Set from elsewhere to end a search.
    let isCancelled: () -> Bool

    private var breakpoints: [Breakpoint] = []
    private var known: [Int: StepLines] = [:]

    private let secrets: SecretTexts

    /// - Parameter secrets: What nobody may see.
    init(
        _ replica: Replica, _ secrets: SecretTexts, isCancelled: @escaping () -> Bool
    ) throws(FlowError) {
        self.replica = replica
        self.secrets = secrets
        self.isCancelled = isCancelled
        expressions = try replica.makeExpressions()
    }

    // MARK: Looking

    /// The line that it stands at; `nil` if it stands before all lines of its input, or that has none.
    var here: StepLines.Line? {
        get throws(FlowError) {
            let lines = try lines.lines
            return lines.indices.contains(moment.line) ? lines[moment.line] : nil
        }
    }

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
    var hasBreakpoints: Bool { !breakpoints.isEmpty || failures.areCaught }

    /// Replaces the breakpoints.
    func set(_ breakpoints: [Breakpoint]) { self.breakpoints = breakpoints }

    /// Looks for stops in what has come in since, while it is played.
    ///
    /// - Parameter onLog: Called with what breakpoints log.
    /// - Returns: The first input that has a stop, or failed where that stops.
    func catchUp(_ onLog: (Stop) -> Void) throws(FlowError) -> Int? {
        var found: Int?
        var hits = try countHits(before: replica.playedCount)
        let finder = finder(of: breakpoints)
        replica.catchUp(finder, hits: &hits) { number, stops, failure in
            for stop in stops where stop.log != nil { onLog(stop) }
            if stops.contains(where: { $0.log == nil }) || failures.stop(at: failure) {
                found = found ?? number
            }
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
        guard !stopping.isEmpty || !failures.filters.isEmpty else { return nil }
        let finder = finder(of: stopping)
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

    private func finder(of breakpoints: [Breakpoint]) -> StopFinder {
        StopFinder(
            breakpoints, expressions, secrets: secrets, stopsAtCatches: failures.areCaught)
    }

    func go(to stop: Stop, in input: Int) -> Stop {
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
            let isFound = !stops.isEmpty || failures.stop(at: failure)
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
        if let failure = lines.failure, failures.stop(at: failure),
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
    static func stop(at failure: FlowError, in lines: StepLines) -> Stop? {
        let last = lines.lines.indices.last { index in
            let location = lines.location(of: index)
            return location.file == failure.location?.file
                && location.line == failure.location?.line
        }
        guard let index = last ?? lines.lines.indices.last else { return nil }
        return Stop(index: index, reason: .exception, location: lines.location(of: index))
    }
}
