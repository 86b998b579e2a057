import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

/// A breadth-first search through the states of a flow, which finds the shortest way to each.
struct ExplorationSearch {
    let flow: ExploredFlow
    let options: FlowExplorationOptions
    var exploration: FlowExploration
    var candidates: Candidates
    private let start = ContinuousClock.now
    private(set) var moments: [ExploredFlow.Moment] = []
    /// The numbers of the states in which all possible steps were tried.
    private(set) var followed: Set<Int> = []
    private(set) var deadEnds: Set<Int> = []
    /// The states in which an expression of ``FlowExplorationOptions/eventually`` is true.
    private(set) var attained: [String: Set<Int>] = [:]
    private var known: [Place: Int] = [:]
    /// The expressions of ``FlowExplorationOptions/never`` that were true.
    private(set) var broken: Set<String> = []
    /// The known failures, so that each is reported once.
    private var failures: Set<Failure> = []
    private var refused: [Value: String] = [:]
    /// The action types that were accepted with some fields.
    private var taken: Set<Value> = []
    /// The approximate size in bytes.
    private var bytes = 0

    private struct Place: Hashable {
        let key: ExploredFlow.Key
        let isEnd: Bool
    }

    struct Failure: Hashable {
        let message: Name
        let location: FlowError.Location?

        init(_ error: FlowError) {
            message = Name(error.message)
            location = error.location
        }
    }

    init(_ flow: ExploredFlow, _ options: FlowExplorationOptions) {
        self.flow = flow
        self.options = options
        exploration = FlowExploration(flow: flow.name)
        candidates = Candidates(of: flow, options)
    }

    mutating func run() throws(FlowError) {
        let first = try flow.current()
        _ = try add(first.moment, steps: [], isEnd: first.hasOutput)
        var next = 0
        while next < moments.count {
            if try mustEnd() || isDone { break }
            let state = exploration.states[next]
            if state.isBeyond || state.isEnd && !options.goesOnAfterOutputs {
                next += 1
                continue
            }
            if let depth = options.maximumDepth, state.steps.count >= depth {
                exploration.limit = exploration.limit ?? .depth
                next += 1
                continue
            }
            try explore(next)
            next += 1
        }
        if !isDone { exploration.findings += waysThatMiss }
        if exploration.limit != nil { try walk(from: first.moment) }
        for expression in options.reachable
        where !exploration.reached.contains(where: { $0.expression == expression }) {
            exploration.findings.append(.init(kind: .unreachable(expression), steps: []))
        }
        exploration.refusals =
            refused.filter { !taken.contains($0.key["type"] ?? .null) }
            .map { FlowExploration.Refusal(action: $0.key, message: $0.value) }
            .sorted { $0.action.description < $1.action.description } + candidates.unmatched
        exploration.unmatchedSinks = candidates.unmatchedSinks
        exploration.idleWorkers = candidates.idleWorkers
        exploration.missingWorkers = candidates.missingWorkers
        exploration.findings = exploration.findings.enumerated()
            .sorted { ($0.element.steps.count, $0.offset) < ($1.element.steps.count, $1.offset) }
            .map(\.element)
    }

    private mutating func explore(_ number: Int) throws(FlowError) {
        assert(!followed.contains(number))
        let moment = moments[number]
        let steps = exploration.states[number].steps
        var leadsOn = false
        var refusals: [FlowExploration.Refusal] = []
        for step in candidates.steps(in: moment) {
            if try mustEnd() { return }
            switch try play(step, from: moment, after: steps) {
            case .failed(let error):
                if let action = step.action, error.isRefusal(of: step) {
                    // Of guessed values one is enough.
                    if step.isGuess, refusals.contains(where: { $0.action.isOfType(of: action) }) {
                        continue
                    }
                    refusals.append(.init(action: action, message: error.message))
                    bytes += action.byteCount + error.message.utf8.count
                } else {
                    // Once fixed, it may lead to other states.
                    leadsOn = true
                }
            case .moved(let next, let hasOutput, let played):
                var step = step
                step.inputs = Array(step.inputs.prefix(played))
                let isSame = next.key == moment.key && !hasOutput
                if isSame { continue }
                leadsOn = true
                let isEnd = hasOutput && !options.goesOnAfterOutputs
                guard let to = try add(next, steps: steps + [step], isEnd: isEnd) else { continue }
                assert(moments.indices.contains(to))
                exploration.transitions.append(.init(from: number, to: to, step: step))
                bytes += step.byteCount
            }
        }
        followed.insert(number)
        if !leadsOn, moment.workers.isEmpty {
            deadEnds.insert(number)
            guard !exploration.states[number].isFinal else { return }
            exploration.findings.append(.init(kind: .deadEnd(refused: refusals), steps: steps))
            bytes += steps.count * ExploredStep.leastByteCount
        }
    }

    /// Plays a step, and records the results of its actions.
    mutating func play(
        _ step: ExploredStep, from moment: ExploredFlow.Moment, after steps: [ExploredStep]
    ) throws(FlowError) -> ExploredFlow.Outcome {
        let outcome = flow.play(step, from: moment)
        for action in flow.applied + (step.action.map { [$0] } ?? []) {
            guard let fields = action.record, let type = fields["type"]?.string else { continue }
            exploration.sentFields[type, default: []].formUnion(fields.map(\.key))
            if case .moved = outcome { taken.insert(.string(type)) }
        }
        if case .failed(let error) = outcome {
            try options.interrupt.check()
            record(error, of: step, after: steps)
        }
        return outcome
    }

    /// The index of a new or known state; `nil` if there is no room for it.
    private mutating func add(
        _ moment: ExploredFlow.Moment, steps: [ExploredStep], isEnd: Bool
    ) throws(FlowError) -> Int? {
        assert(moments.count == exploration.states.count)
        let place = Place(key: moment.key, isEnd: isEnd)
        if let number = known[place] { return number }
        guard moments.count < options.maximumStates else {
            exploration.limit = .states
            return nil
        }
        let number = moments.count
        known[place] = number
        moments.append(moment)
        bytes += moment.byteCount + steps.count * ExploredStep.leastByteCount
        exploration.states.append(
            .init(
                state: moment.state, rendering: moment.rendering, steps: steps, isEnd: isEnd,
                isFinal: try isFinal(moment.rendering), isBeyond: try isBeyond()))
        try look(after: steps)
        for expression in options.eventually where try flow.holds(expression) {
            attained[expression, default: []].insert(number)
        }
        return number
    }

    /// Evaluates the expressions that the current moment breaks or reaches for the first time.
    mutating func look(after steps: [ExploredStep]) throws(FlowError) {
        for expression in options.never where !broken.contains(expression) {
            guard try flow.holds(expression) else { continue }
            broken.insert(expression)
            exploration.findings.append(.init(kind: .broken(never: expression), steps: steps))
        }
        for expression in options.reachable
        where !exploration.reached.contains(where: { $0.expression == expression }) {
            guard try flow.holds(expression) else { continue }
            exploration.reached.append((expression, steps))
        }
    }

    func isBeyond() throws(FlowError) -> Bool {
        for expression in options.within where try !flow.holds(expression) { return true }
        return false
    }

    private func isFinal(_ rendering: Value) throws(FlowError) -> Bool {
        if rendering["final"] == true { return true }
        for expression in options.ends where try flow.holds(expression) { return true }
        return false
    }

    private mutating func record(
        _ error: FlowError, of step: ExploredStep, after steps: [ExploredStep]
    ) {
        if let action = step.action, error.isRefusal(of: step) {
            if step.isGuess, refused.keys.contains(where: { $0.isOfType(of: action) }) { return }
            if refused[action] == nil { refused[action] = error.message }
            return
        }
        guard failures.insert(Failure(error)).inserted else { return }
        bytes += error.message.utf8.count + (steps.count + 1) * ExploredStep.leastByteCount
        exploration.findings.append(.init(kind: .error(error), steps: steps + [step]))
    }

    private var isDone: Bool { options.endsWhenBroken && broken.count == options.never.count }

    /// True if a limit was reached, which is recorded.
    private mutating func mustEnd() throws(FlowError) -> Bool {
        try options.interrupt.check()
        if isTimeUp {
            exploration.limit = .time
            return true
        }
        guard bytes > options.maximumMemory else { return false }
        exploration.limit = .memory
        return true
    }

    var isTimeUp: Bool { options.maximumTime.map { start.duration(to: .now) > $0 } ?? false }
}

extension ExploredStep {
    /// The size of a step that shares its action.
    fileprivate static let leastByteCount = MemoryLayout<ExploredStep>.stride

    fileprivate var byteCount: Int {
        inputs.reduce(Self.leastByteCount) { bytes, input in
            if case .action(let action, _) = input { bytes + action.byteCount } else { bytes + 200 }
        }
    }

    fileprivate var action: Value? {
        guard inputs.count == 1, case .action(let action, _)? = inputs.first else { return nil }
        return action
    }
}

extension Value {
    fileprivate func isOfType(of action: Value) -> Bool { self["type"] == action["type"] }
}

extension FlowError {
    /// True if the flow refused an action, or does not know it, as it should for actions from
    /// outside; or if the action was a guess.
    func isRefusal(of step: ExploredStep) -> Bool {
        guard step.action != nil else { return false }
        if step.isGuess { return true }
        guard code == .unknownAction || code == .unknownNode else { return isRefusalOfFlow }
        switch phase {
        case .apply, nil: return true
        default: return false
        }
    }
}
