import LuaVM
import WorkflowKit
import WorkflowLua

/// Moves through a session's past from stop to stop and line to line, forward and backward.
///
/// A stop replays the input and copies its content. So nothing is held, and a step back costs the
/// same as a step forward. Replaying debuggers such as rr and Replay.io work in this way.
final class Debugger {
    enum Direction { case forward, backward }

    let replica: Replica
    let expressions: FrameExpressions
    var moment = Moment(input: 0, line: 0) { didSet { returned = 0 } }
    /// The number of innermost functions at the line that have returned when a change was made.
    private(set) var returned = 0
    var failures = StoppingFailures()
    /// True if a search must end.
    let isCancelled: () -> Bool

    private var breakpoints: [Breakpoint] = []
    private var known: [Int: StepLines] = [:]
    /// The hits of breakpoints with conditions in the lines of the test, by their ids.
    private var knownHits: [Int: [TestLines.Hit]] = [:]
    /// The first line that is kept, for inputs with very many lines.
    private var firstLines: [Int: Int] = [:]

    private let secrets: SecretTexts

    init(
        _ replica: Replica, _ secrets: SecretTexts, isCancelled: @escaping () -> Bool
    ) throws(FlowError) {
        self.replica = replica
        self.secrets = secrets
        self.isCancelled = isCancelled
        expressions = try FrameExpressions(limits: replica.limits)
    }

    // MARK: Looking

    /// The current line; `nil` before all lines of the input, or if the input has none.
    var here: StepLines.Line? {
        get throws(FlowError) {
            let lines = try lines.lines
            guard lines.indices.contains(moment.line) else { return nil }
            var line = lines[moment.line]
            line.depth.functions -= min(line.depth.functions, UInt16(clamping: returned))
            return line
        }
    }

    func lines(of input: Int) throws(FlowError) -> StepLines {
        if let lines = known[input] { return lines }
        let lines = try replica.lines(of: input, from: firstLines[input] ?? 0)
        // These are not all of its lines.
        if let failure = lines.failure, failure.code == .interrupted, !lines.isFull, isCancelled() {
            throw failure
        }
        if known.count >= 8 { known = [:] }
        known[input] = lines
        return lines
    }

    var lines: StepLines { get throws(FlowError) { try lines(of: moment.input) } }

    func content(at line: Int? = nil) throws(FlowError) -> MomentContent {
        try replica.content(of: moment.input, at: line ?? moment.line, among: lines)
    }

    /// The lines of the current calls: its own, and those of the nodes around it.
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

    /// Keeps the lines of an input from a line on.
    func look(at input: Int, from first: Int) {
        assert(first >= 0)
        guard first != firstLines[input] ?? 0 else { return }
        firstLines[input] = first
        known[input] = nil
    }

    /// Keeps the first lines of an input, or the last ones of `most` if it came to an end.
    func lookAtEnd(_ direction: Direction, of input: Int, upTo most: Int = .max) throws(FlowError) {
        look(at: input, from: 0)
        guard direction == .forward, replica.inputs[input].isStep, try lines(of: input).isFull
        else { return }
        let count = try replica.countLines(of: input, upTo: most)
        if count < most { look(at: input, from: max(0, count - StepLines.most)) }
    }

    /// Keeps lines of the input before or after the kept ones; false if there are none.
    func lookFurther(_ direction: Direction) throws(FlowError) -> Bool {
        let lines = try lines
        let index = lines.first + moment.line
        let first = max(0, index - lines.most / 2)
        guard direction == .forward ? lines.isFull && first > lines.first : first < lines.first
        else { return false }
        look(at: moment.input, from: first)
        moment.line = index - first
        return true
    }

    /// Adds the next input of the session, which is played when it is needed.
    func add(_ input: DebuggedInput) {
        // An unfinished input has ended.
        if let number = replica.add(input) { known[number] = nil }
    }

    /// Drops the known lines, because the code has changed.
    func forgetLines() { known = [:] }

    // MARK: Breakpoints

    /// True if anything besides failures stops or logs.
    var hasBreakpoints: Bool { !breakpoints.isEmpty || failures.areCaught }

    func set(_ breakpoints: [Breakpoint]) {
        self.breakpoints = breakpoints
        knownHits = [:]
    }

    /// Plays the new inputs, and returns the first one with a stop or a failure that stops.
    func catchUp(_ onLog: @escaping (BreakpointLog) -> Void) throws(FlowError) -> Int? {
        var found: Int?
        let finder = try finder(of: breakpoints, from: replica.playedCount, onLog: onLog)
        replica.catchUp(finder) { number, hasStop, failure in
            if hasStop || failures.stop(at: failure) { found = found ?? number }
        }
        return found
    }

    /// Replays what log points would have logged so far.
    func logs(of ids: Set<Int>, _ onLog: @escaping (BreakpointLog) -> Void) throws(FlowError) {
        let logging = breakpoints.filter { $0.log != nil && ids.contains($0.id) }
        guard !logging.isEmpty else { return }
        let finder = StopFinder(logging, expressions, secrets: secrets, onLog: onLog)
        try replica.search(0..<replica.inputs.count, finder) { _, _, _ in !isCancelled() }
        for (_, hit) in try testHits(of: logging) {
            guard let location = replica.test?.location(of: hit.line), let text = hit.log else {
                continue
            }
            onLog(BreakpointLog(location: location, text: text))
        }
    }

    private func testHits(
        of breakpoints: [Breakpoint]
    ) throws(FlowError) -> [(breakpoint: Breakpoint, hit: TestLines.Hit)] {
        guard let test = replica.test else { return [] }
        var all: [(breakpoint: Breakpoint, hit: TestLines.Hit)] = []
        for breakpoint in breakpoints where !isCancelled() {
            var hits = knownHits[breakpoint.id]
            if hits == nil {
                hits = try test.hits(of: breakpoint, expressions, hiding: secrets)
                // The test was run to look for hits with a condition.
                if !breakpoint.isPlain { knownHits[breakpoint.id] = hits }
            }
            all += (hits ?? []).map { (breakpoint, $0) }
        }
        return all
    }

    /// Goes to the next or previous stop. If there is none, the position does not change.
    func goToStop(_ direction: Direction) throws(FlowError) -> Stop? {
        let stopping = breakpoints.filter { $0.log == nil }
        guard !stopping.isEmpty || !failures.filters.isEmpty else { return nil }
        let here = moment
        if let stop = try stop(in: here.input, stopping, direction, beyond: here.line) {
            return try go(to: stop, in: here.input)
        }
        let count = replica.inputs.count
        var candidates: [Int] = []
        switch direction {
        case .forward:
            try search((here.input + 1)..<max(count, here.input + 1), stopping) { number in
                candidates.append(number)
                return false
            }
        case .backward:
            // From the last, in portions.
            var end = here.input
            while end > 0, candidates.isEmpty, !isCancelled() {
                let start = max(0, end - 64)
                try search(start..<end, stopping) { number in
                    candidates.append(number)
                    return true
                }
                end = start
            }
        }
        for number in direction == .forward ? candidates : candidates.reversed() {
            if let stop = try stop(in: number, stopping, direction, beyond: nil) {
                return try go(to: stop, in: number)
            }
        }
        return nil
    }

    /// The inputs in which a line ran, at most the last hundred.
    func inputs(throughLine line: Int, of file: String) throws(FlowError) -> [Int] {
        let location = LuaLocation(chunk: file, line: line)
        if let test = replica.test, test.files.contains(file) {
            let lines = test.indices(of: location)
            let inputs = replica.inputs.indices.filter { input in
                replica.inputs[input].testLines.map { lines.contains(where: $0.contains) } ?? false
            }
            return inputs.suffix(100)
        }
        var inputs: [Int] = []
        let finder = StopFinder(
            [Breakpoint(id: 0, place: .line(file: file, line: line))], expressions,
            secrets: secrets)
        try replica.search(0..<replica.inputs.count, finder) { number, hasStop, _ in
            if hasStop { inputs.append(number) }
            return !isCancelled()
        }
        return inputs.suffix(100)
    }

    /// Goes to the first hit of a line in an input.
    func go(toLine line: Int, of file: String, in input: Int) throws(FlowError) {
        let breakpoint = Breakpoint(id: 0, place: .line(file: file, line: line))
        look(at: input, from: 0)
        if let stop = try stop(in: input, [breakpoint], .forward, beyond: nil) {
            _ = try go(to: stop, in: input)
        }
    }

    private func finder(
        of breakpoints: [Breakpoint], from input: Int, wanted: StopFinder.Wanted? = nil,
        onLog: @escaping (BreakpointLog) -> Void = { _ in }
    ) throws(FlowError) -> StopFinder {
        StopFinder(
            breakpoints, expressions, secrets: secrets, stopsAtCatches: failures.areCaught,
            hits: try hits(of: breakpoints, before: input), wanted: wanted, onLog: onLog)
    }

    func go(to stop: Stop, in input: Int) throws(FlowError) -> Stop {
        assert(stop.index >= 0)
        var lines = try lines(of: input)
        if !(lines.first..<lines.first + lines.most).contains(stop.index) {
            look(at: input, from: max(0, stop.index - lines.most / 2))
            lines = try self.lines(of: input)
        }
        moment = Moment(input: input, line: min(stop.index - lines.first, lines.lines.count - 1))
        returned = stop.returned
        return stop
    }

    /// Calls `body` with each input with a stop or a failure that stops, until it returns false.
    private func search(
        _ inputs: Range<Int>, _ breakpoints: [Breakpoint], _ body: (Int) -> Bool
    ) throws(FlowError) {
        let finder = try finder(of: breakpoints, from: inputs.lowerBound)
        let testHits = try testHits(of: breakpoints)
        let played = replica.inputs
        assert(inputs.isEmpty || inputs.upperBound <= played.count)
        try replica.search(inputs, finder) { number, hasStop, failure in
            guard !isCancelled() else { return false }
            let isHit =
                played[number].testLines.map { range in
                    testHits.contains { range.contains($0.hit.line) }
                } ?? hasStop
            return isHit || failures.stop(at: failure) ? body(number) : true
        }
    }

    /// The hits of breakpoints with hit conditions before an input.
    private func hits(
        of breakpoints: [Breakpoint], before input: Int
    ) throws(FlowError) -> [Int: Int] {
        let counting = breakpoints.filter { $0.hitCondition != nil }
        guard !counting.isEmpty, input > 0 else { return [:] }
        let finder = StopFinder(counting, expressions, secrets: secrets)
        try replica.search(0..<input, finder) { _, _, _ in !isCancelled() }
        return finder.hitsByID
    }

    private func hasStop(in input: Int, _ breakpoints: [Breakpoint]) throws(FlowError) -> Bool {
        var isThere = false
        try search(input..<input + 1, breakpoints) { _ in
            isThere = true
            return false
        }
        return isThere
    }

    /// The first or last stop of an input beyond a line.
    private func stop(
        in input: Int, _ breakpoints: [Breakpoint], _ direction: Direction, beyond line: Int?
    ) throws(FlowError) -> Stop? {
        let first = firstLines[input] ?? 0
        let wanted = StopFinder.Wanted(
            direction: direction,
            place: line.map { Stop.Place(index: first + $0, isAfterReturn: returned > 0) })
        if let range = replica.inputs[input].testLines {
            return try stop(in: range, of: input, breakpoints, wanted)
        }
        let finder = try finder(of: breakpoints, from: input, wanted: wanted)
        // To look where there is a stop costs more than to look whether there is one.
        if finder.countsLines, try !hasStop(in: input, breakpoints) { return nil }
        // What never ends is searched back from where it has got to.
        let end = wanted.place?.index ?? first + StepLines.mostOfLoop
        let (stop, failure) = try replica.stop(
            of: input, finder, through: direction == .backward ? end + 1 : .max)
        guard let failure, failures.stop(at: failure),
            let end = Self.stop(at: failure, in: try lines(of: input)), wanted.allows(end)
        else { return stop }
        guard let stop else { return end }
        return (end.index < stop.index) == (direction == .forward) ? end : stop
    }

    /// The wanted stop among lines of the test.
    private func stop(
        in range: Range<Int>, of input: Int, _ breakpoints: [Breakpoint],
        _ wanted: StopFinder.Wanted
    ) throws(FlowError) -> Stop? {
        let lines = try lines(of: input)
        let end = lines.failure.flatMap { Self.stop(at: $0, in: lines) }
        var stops: [Stop] = []
        for (breakpoint, hit) in try testHits(of: breakpoints) where range.contains(hit.line) {
            let index = hit.line - range.lowerBound
            // What is expected there is not so.
            let failure = index == end?.index ? lines.failure : nil
            stops.append(
                Stop(
                    index: index, reason: .breakpoint, ids: [breakpoint.id],
                    location: lines.location(of: index), failure: hit.failure ?? failure))
        }
        if let end, failures.stop(at: lines.failure) { stops.append(end) }
        stops = stops.filter(wanted.allows)
        let isEarlier: (Stop, Stop) -> Bool = { $0.place < $1.place }
        return wanted.direction == .forward ? stops.min(by: isEarlier) : stops.max(by: isEarlier)
    }

    /// The last line before a failure.
    static func stop(at failure: FlowError, in lines: StepLines) -> Stop? {
        let last = lines.lines.indices.last { index in
            let location = lines.location(of: index)
            return location.file == failure.location?.file
                && location.line == failure.location?.line
        }
        guard let index = last ?? lines.lines.indices.last else { return nil }
        return Stop(
            index: lines.first + index, reason: .exception, location: lines.location(of: index))
    }
}
