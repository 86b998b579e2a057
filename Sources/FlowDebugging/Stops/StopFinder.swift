import LuaVM
import PlainValue
import WorkflowKit
import WorkflowLua

/// Finds the moments of a step at which breakpoints stop, while it is played again.
final class StopFinder {
    private struct Met {
        let breakpoint: Int
        let index: Int
        let location: FlowError.Location
        let variables: [String: Value]
    }

    private let breakpoints: [Breakpoint]
    /// Whether it stops where the flow catches an error.
    private let stopsAtCatches: Bool
    private let expressions: FrameExpressions
    private var met: [Met] = []
    private var changes: [Stop] = []
    private var next = 0
    private var lastCall = -1
    private var lastLocation = FlowError.Location(file: "", line: 0)
    /// What was at the paths of states when last seen, by the breakpoint.
    private var seen: [Int: (call: Int, value: Value?)] = [:]

    /// What nobody may see.
    private let secrets: SecretTexts

    init(
        _ breakpoints: [Breakpoint], _ expressions: FrameExpressions, secrets: SecretTexts,
        stopsAtCatches: Bool = false
    ) {
        self.breakpoints = breakpoints
        self.stopsAtCatches = stopsAtCatches
        self.secrets = secrets
        self.expressions = expressions
    }

    private var watchesStates: Bool {
        breakpoints.contains { if case .state = $0.place { true } else { false } }
    }

    /// The lines that have to be told to know whether a step has stops at all; `nil`: all of them.
    private var lines: Set<Int>? {
        var lines: Set<Int> = []
        for breakpoint in breakpoints {
            switch breakpoint.place {
            case .line(_, let line): lines.insert(line)
            case .call, .state: return nil
            case .rendering: break
            }
        }
        return lines
    }

    /// What is to be traced to know the places of stops among all lines of the step.
    var trace: FlowTrace {
        FlowTrace(tellsReturns: watchesStates, tellsCatches: stopsAtCatches) {
            [unowned self] call, moment in look(call, moment)
        }
    }

    /// What is to be traced to know whether there are stops; `nil`: nothing.
    var quickTrace: FlowTrace? {
        guard let lines else { return trace }
        guard !lines.isEmpty || stopsAtCatches else { return nil }
        return FlowTrace(lines: lines.isEmpty ? [.max] : lines, tellsCatches: stopsAtCatches) {
            [unowned self] call, moment in look(call, moment)
        }
    }

    private func look(_ call: TracedCall, _ moment: borrowing LuaMoment) {
        if let error = moment.caughtError { return stop(after: error) }
        let line = moment.line
        let isReturn = moment.isReturn
        for (number, breakpoint) in breakpoints.enumerated() {
            switch breakpoint.place {
            case .line(let file, line) where !isReturn && moment.isIn(chunk: file):
                meet(number, moment)
            case .call(let node, let phase) where !isReturn && call.number != lastCall:
                let fits = node.map {
                    call.node.fits(pattern: $0) || call.node.fits(pattern: "*/" + $0)
                }
                if fits ?? true, call.phase.description.fits(pattern: phase) {
                    meet(number, moment)
                }
            case .state(let node, let path) where call.node == node:
                watch(number, path, call, moment)
            default: break
            }
        }
        lastCall = call.number
        guard !isReturn else { return }
        if watchesStates || stopsAtCatches { lastLocation = location(of: moment) }
        next += 1
    }

    /// Stops at the line that was under way when an error was raised, which the flow has caught.
    private func stop(after error: LuaVariable) {
        let message =
            if case .string(let text) = error.value { text } else {
                secrets.hiding(error.value).summary(maxLength: 200)
            }
        changes.append(
            Stop(index: max(next - 1, 0), reason: .caught(message), location: lastLocation))
    }

    private func location(of moment: borrowing LuaMoment) -> FlowError.Location {
        FlowError.Location(
            file: moment.call(at: 0)?.location.chunk ?? "", line: moment.line)
    }

    private func meet(_ number: Int, _ moment: borrowing LuaMoment) {
        met.append(
            Met(
                breakpoint: number, index: next, location: location(of: moment),
                variables: secrets.hiding(moment.values(of: breakpoints[number].names))))
    }

    private func watch(
        _ number: Int, _ path: ValuePath, _ call: TracedCall, _ moment: borrowing LuaMoment
    ) {
        guard let state = call.state(at: moment) else { return }
        let value = state[path]
        defer { seen[number] = (call.number, value) }
        // The first line of a call sees what was there before.
        guard let last = seen[number], last.call == call.number, last.value != value, next > 0
        else { return }
        changes.append(
            Stop(
                index: next - 1, reason: .dataBreakpoint(before: last.value, now: value),
                ids: [breakpoints[number].id], location: lastLocation))
    }

    /// The stops of the step that was traced last, in order, without those that breakpoints count out.
    ///
    /// - Parameters:
    ///   - rendering: That of the root before and after the step.
    ///   - hits: How often breakpoints were hit before, by their ids; counted on.
    func takeStops(
        rendering: (before: Value?, now: Value), hits: inout [Int: Int]
    ) -> [Stop] {
        defer {
            met = []
            changes = []
            next = 0
            lastCall = -1
            seen = [:]
        }
        var stops = changes
        for met in met {
            if let stop = stop(met, &hits) { stops.append(stop) }
        }
        for breakpoint in breakpoints {
            guard case .rendering(let path) = breakpoint.place, let before = rendering.before,
                before[path] != rendering.now[path]
            else { continue }
            stops.append(
                Stop(
                    index: .max,
                    reason: .dataBreakpoint(before: before[path], now: rendering.now[path]),
                    ids: [breakpoint.id], location: lastLocation))
        }
        return stops.enumerated().sorted {
            ($0.element.index, $0.offset) < ($1.element.index, $1.offset)
        }
        .map(\.element)
    }

    private func stop(_ met: Met, _ hits: inout [Int: Int]) -> Stop? {
        let breakpoint = breakpoints[met.breakpoint]
        var stop = Stop(
            index: met.index, reason: .breakpoint, ids: [breakpoint.id], location: met.location)
        if case .call = breakpoint.place { stop.reason = .functionBreakpoint }
        do throws(FlowError) {
            if let condition = breakpoint.condition {
                let value = try expressions.value(of: condition, where: met.variables)
                if value == .null || value == .bool(false) { return nil }
            }
            hits[breakpoint.id, default: 0] += 1
            if let counts = breakpoint.hitCondition, !counts.holds(hits[breakpoint.id] ?? 0) {
                return nil
            }
            if let log = breakpoint.log {
                stop.log = .success(try log.content(where: met.variables, expressions))
            }
        } catch {
            // A condition that cannot be evaluated stops, so that it is seen.
            stop.log = breakpoint.log == nil ? nil : .failure(error)
        }
        return stop
    }
}
