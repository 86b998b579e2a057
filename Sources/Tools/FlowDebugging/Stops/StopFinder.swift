import LuaVM
import PlainValue
import WorkflowKit
import WorkflowLua

/// Finds a stop in a step during its replay.
///
/// A line in a loop may run millions of times, so only the wanted stop is kept.
final class StopFinder {
    /// The wanted stop of a step.
    struct Wanted {
        let direction: Debugger.Direction
        /// The stop must be beyond this place, if there is one.
        let place: Stop.Place?

        func allows(_ stop: Stop) -> Bool {
            guard let place else { return true }
            return direction == .forward ? stop.place > place : stop.place < place
        }
    }

    private let breakpoints: [Breakpoint]
    private let stopsAtCatches: Bool
    private let expressions: FrameExpressions
    private let secrets: SecretTexts
    /// `nil` for any stop. Its index may be wrong then.
    private let wanted: Wanted?
    private let onLog: (BreakpointLog) -> Void

    private let watchesStates: Bool
    /// True if all lines must be traced to find stops.
    private let needsAllLines: Bool
    private let lines: LuaTracedLines
    /// True if the wanted stop can be found from the chosen lines, while all are counted.
    let countsLines: Bool
    /// The breakpoints at each line.
    private let breakpointsAt: [[Int]]
    /// The breakpoint at a line whose hits are only counted, and its hits before the trace.
    private let countedAt: [(breakpoint: Int, before: Int)?]

    /// The hits of each breakpoint.
    private var hits: [Int]
    private var found: (stop: Stop, rank: Int)?
    private var next = 0
    private var lastCall = -1
    private var lastLocation = FlowError.Location(file: "", line: 0)
    /// The last line of each function that runs in the present call, the innermost one last.
    private var running: [(depth: Int, location: FlowError.Location)] = []
    /// The last seen value at a watched path, by breakpoint.
    private var seen: [Int: (call: Int, value: Value?)] = [:]

    /// - Parameter hits: The earlier hits by breakpoint id.
    init(
        _ breakpoints: [Breakpoint], _ expressions: FrameExpressions, secrets: SecretTexts,
        stopsAtCatches: Bool = false, hits: [Int: Int] = [:], wanted: Wanted? = nil,
        onLog: @escaping (BreakpointLog) -> Void = { _ in }
    ) {
        self.breakpoints = breakpoints
        self.stopsAtCatches = stopsAtCatches
        self.secrets = secrets
        self.expressions = expressions
        self.wanted = wanted
        self.onLog = onLog
        watchesStates = breakpoints.contains { if case .state = $0.place { true } else { false } }
        let needsAllLines =
            watchesStates
            || breakpoints.contains { if case .call = $0.place { true } else { false } }
        self.needsAllLines = needsAllLines
        let counts = breakpoints.map { hits[$0.id] ?? 0 }
        self.hits = counts
        let places = breakpoints.map(\.location)
        let lines = LuaTracedLines(Set(places.compactMap(\.self)))
        self.lines = lines
        let numbers = lines.locations.map { line in places.indices.filter { places[$0] == line } }
        breakpointsAt = numbers
        countedAt = numbers.map { numbers in
            guard !needsAllLines, numbers.count == 1, breakpoints[numbers[0]].isPlain
            else { return nil }
            return (numbers[0], counts[numbers[0]])
        }
        countsLines = !needsAllLines && !stopsAtCatches && places.allSatisfy { $0 != nil }
        // Whether a condition holds tells something of what it reads.
        for (line, numbers) in numbers.enumerated()
        where numbers.count == 1 && secrets.names.isEmpty {
            if let condition = breakpoints[numbers[0]].condition?.makeCondition() {
                lines.set(condition, at: line)
            }
        }
        takeCounts()
    }

    var hitsByID: [Int: Int] {
        Dictionary(zip(breakpoints.map(\.id), hits)) { $1 }
    }

    // MARK: Tracing

    /// The trace that finds stops with their indices.
    var trace: FlowTrace {
        if countsLines { return makeTrace(ofChosenLines: true) }
        return FlowTrace(tellsReturns: watchesStates, tellsCatches: stopsAtCatches) {
            [unowned self] call, moment in look(call, moment)
        }
    }

    /// The trace that finds out whether there are stops.
    var quickTrace: FlowTrace {
        needsAllLines ? trace : makeTrace(ofChosenLines: false)
    }

    private func makeTrace(ofChosenLines counts: Bool) -> FlowTrace {
        FlowTrace(lines: lines, tellsCatches: stopsAtCatches, countsLines: counts) {
            [unowned self] call, moment in
            if let line = moment.tracedLine {
                look(atChosen: line, moment)
            } else {
                look(call, moment)
            }
        }
    }

    private func look(atChosen line: Int, _ moment: borrowing LuaMoment) {
        assert(countedAt.indices.contains(line))
        guard let counted = countedAt[line] else {
            for number in breakpointsAt[line] { meet(number, moment) }
            return
        }
        find(stop(at: counted.breakpoint, moment))
        let isEnough = wanted.map { $0.direction == .forward && found != nil } ?? true
        let hits = counted.before + lines.hits(at: line)
        let next = isEnough ? nil : breakpoints[counted.breakpoint].nextHit(after: hits)
        lines.tell(fromHit: (next ?? .max) - counted.before, at: line)
    }

    /// Adds the counted hits, and requests the next hits that stop.
    private func takeCounts() {
        for (line, counted) in countedAt.enumerated() {
            guard let counted else { continue }
            let count = counted.before + lines.hits(at: line)
            hits[counted.breakpoint] = count
            let next = breakpoints[counted.breakpoint].nextHit(after: count)
            lines.tell(fromHit: (next ?? .max) - counted.before, at: line)
        }
    }

    private func look(_ call: TracedCall, _ moment: borrowing LuaMoment) {
        if let error = moment.caughtError { return stop(after: error) }
        // Another stop of the same line may follow the wanted one.
        if let found, wanted?.direction == .forward, found.stop.index + 1 < next { return }
        let line = moment.line
        let isReturn = moment.isReturn
        for (number, breakpoint) in breakpoints.enumerated() {
            switch breakpoint.place {
            case .line(let file, line) where !isReturn && moment.isIn(chunk: file):
                meet(number, moment)
            case .call(let node, let phase) where !isReturn && call.number != lastCall:
                let path = "\(call.node)"
                let fits = node.map { path.fits(pattern: $0) || path.fits(pattern: "*/" + $0) }
                if fits ?? true, call.phase.description.fits(pattern: phase) {
                    meet(number, moment)
                }
            case .state(let node, let path) where call.node == node:
                watch(number, path, call, moment)
            default: break
            }
        }
        if call.number != lastCall { running = [] }
        lastCall = call.number
        guard !isReturn else { return }
        if watchesStates || stopsAtCatches {
            if !moment.isIn(chunk: lastLocation.file) { lastLocation = location(of: moment) }
            lastLocation.line = line
        }
        if watchesStates {
            let depth = moment.depth
            while let last = running.last, last.depth >= depth { running.removeLast() }
            running.append((depth, lastLocation))
        }
        next += 1
    }

    private func location(of moment: borrowing LuaMoment) -> FlowError.Location {
        FlowError.Location(file: moment.call(at: 0)?.location.chunk ?? "", line: moment.line)
    }

    /// Stops at the line of an error that the flow caught.
    private func stop(after error: LuaVariable) {
        let message =
            if case .string(let text) = error.value { text } else {
                secrets.hiding(error.value).summary(maxLength: 200)
            }
        find(Stop(index: max(next - 1, 0), reason: .caught(message), location: lastLocation))
    }

    private func watch(
        _ number: Int, _ path: ValuePath, _ call: TracedCall, _ moment: borrowing LuaMoment
    ) {
        guard let state = call.state(at: moment) else { return }
        let value = state[path]
        defer { seen[number] = (call.number, value) }
        // The first line of a call sees the earlier value.
        guard let last = seen[number], last.call == call.number, last.value != value else { return }
        // The function that wrote it may have called others on the same line before.
        let depth = moment.depth
        let writer = running.lastIndex { $0.depth <= depth } ?? running.count - 1
        guard running.indices.contains(writer) else { return }
        find(
            Stop(
                index: next - 1, reason: .dataBreakpoint(before: last.value, now: value),
                ids: [breakpoints[number].id], location: running[writer].location,
                returned: running.count - 1 - writer))
    }

    // MARK: Stops

    /// Keeps a stop if it is the best so far. The rank orders the stops of a line.
    private func find(_ stop: Stop, rank: Int = 0) {
        guard wanted?.allows(stop) ?? true else { return }
        guard let found else { return self.found = (stop, rank) }
        let isLater = (stop.place, rank) >= (found.stop.place, found.rank)
        if isLater == (wanted?.direction == .backward) { self.found = (stop, rank) }
    }

    /// The wanted stop of the traced step, with the root's rendering before and after it.
    func takeStop(rendering: (before: Value?, now: Value)) -> Stop? {
        takeCounts()
        for breakpoint in breakpoints {
            guard case .rendering(let path) = breakpoint.place, let before = rendering.before,
                before[path] != rendering.now[path]
            else { continue }
            find(
                Stop(
                    index: max(next - 1, 0),
                    reason: .dataBreakpoint(before: before[path], now: rendering.now[path]),
                    ids: [breakpoint.id], location: lastLocation), rank: 2)
        }
        defer {
            found = nil
            next = 0
            lines.passedCount = 0
            lastCall = -1
            running = []
            seen = [:]
        }
        return found?.stop
    }

    // MARK: Hits

    private func stop(at number: Int, _ moment: borrowing LuaMoment) -> Stop {
        let breakpoint = breakpoints[number]
        let location = breakpoint.location.map { FlowError.Location(file: $0.chunk, line: $0.line) }
        let index = lines.passedCount > 0 ? lines.passedCount - 1 : next
        return Stop(
            index: index, reason: location == nil ? .functionBreakpoint : .breakpoint,
            ids: [breakpoint.id], location: location ?? self.location(of: moment))
    }

    private func meet(_ number: Int, _ moment: borrowing LuaMoment) {
        let breakpoint = breakpoints[number]
        // If any stop will do, the first one is enough.
        let isLooking = wanted != nil || breakpoint.hitCondition != nil || breakpoint.log != nil
        guard isLooking || found == nil else { return }
        do throws(FlowError) {
            if let condition = breakpoint.condition,
                !(try expressions.holds(
                    condition, at: moment, callsFunctions: true, hiding: secrets))
            {
                return
            }
            let next = breakpoint.nextHit(after: hits[number])
            hits[number] += 1
            guard next == hits[number] else { return }
            guard let log = breakpoint.log else { return find(stop(at: number, moment), rank: 1) }
            let text = try log.content(
                at: moment, expressions, callsFunctions: true, hiding: secrets
            ).text
            onLog(BreakpointLog(location: stop(at: number, moment).location, text: .success(text)))
        } catch {
            // The evaluation was interrupted together with the step.
            guard error.code != .interrupted else { return }
            var stop = stop(at: number, moment)
            // A condition that cannot be evaluated stops, so that the user sees it.
            stop.failure = error
            guard breakpoint.log != nil else { return find(stop, rank: 1) }
            onLog(BreakpointLog(location: stop.location, text: .failure(error)))
        }
    }
}
