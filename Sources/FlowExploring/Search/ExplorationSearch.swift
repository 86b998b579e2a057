import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

/// A breadth-first search through the states of a flow, which finds the shortest way to each.
struct ExplorationSearch {
    private let flow: ExploredFlow
    private let options: FlowExplorationOptions
    private(set) var exploration: FlowExploration
    private let start = ContinuousClock.now
    private var moments: [ExploredFlow.Moment] = []
    private var known: [Place: Int] = [:]
    /// The expressions that were true.
    private var broken: Set<String> = []
    /// The known failures, so that each is reported once.
    private var failures: Set<Failure> = []
    private var refused: [Value: String] = [:]
    /// The action types that were accepted with some fields.
    private var taken: Set<Value> = []
    /// The actions of the options that could be tried.
    private var tried: Set<Value> = []
    private var idle: Set<String> = []
    /// The names of declared workers.
    private var declared: Set<String> = []
    /// The approximate size in bytes.
    private var bytes = 0

    /// A moment, and whether a run ends there.
    private struct Place: Hashable {
        let key: ExploredFlow.Key
        let isEnd: Bool
    }

    private struct Failure: Hashable {
        let message: Name
        let location: FlowError.Location?
    }

    init(_ flow: ExploredFlow, _ options: FlowExplorationOptions) {
        self.flow = flow
        self.options = options
        exploration = FlowExploration(flow: flow.name)
    }

    mutating func run() throws(FlowError) {
        let first = try flow.current()
        _ = try add(first.moment, steps: [], isEnd: first.hasOutput)
        var next = 0
        while next < moments.count {
            if try mustEnd() || isDone { break }
            let state = exploration.states[next]
            if state.isEnd, !options.goesOnAfterOutputs {
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
        exploration.refusals = refused.filter { !taken.contains($0.key["type"] ?? .null) }
            .map { FlowExploration.Refusal(action: $0.key, message: $0.value) }
            .sorted { $0.action.description < $1.action.description }
        for action in options.actions where !tried.contains(action) {
            exploration.refusals.append(
                .init(action: action, message: "neither the root nor a sink that was seen takes it")
            )
        }
        exploration.idleWorkers = idle.sorted()
        exploration.missingWorkers = Set(options.workers.map(\.worker)).subtracting(declared)
            .sorted().map { ($0, nearestName(to: $0, among: declared.sorted())) }
        exploration.findings = exploration.findings.enumerated()
            .sorted { ($0.element.steps.count, $0.offset) < ($1.element.steps.count, $1.offset) }
            .map(\.element)
    }

    /// Tries everything that can be done in a state.
    private mutating func explore(_ number: Int) throws(FlowError) {
        let moment = moments[number]
        let steps = exploration.states[number].steps
        var leadsOn = false
        var refusals: [FlowExploration.Refusal] = []
        for step in candidates(in: moment) {
            if try mustEnd() { return }
            if let fields = step.action?.record, let type = fields["type"]?.string {
                exploration.sentFields[type, default: []].formUnion(fields.map(\.key))
            }
            switch flow.play(step, from: moment) {
            case .failed(let error):
                try options.interrupt.check()
                record(error, of: step, after: steps)
                if let action = step.action, step.isGuess || error.isRefusal {
                    refusals.append(.init(action: action, message: error.message))
                    bytes += action.byteCount + error.message.utf8.count
                } else {
                    // Once fixed, it may lead to other states.
                    leadsOn = true
                }
            case .moved(let next, let hasOutput, let played):
                var step = step
                step.inputs = Array(step.inputs.prefix(played))
                if let type = step.action?["type"] { taken.insert(type) }
                let isSame = next.key == moment.key && !hasOutput
                if isSame { continue }
                leadsOn = true
                let isEnd = hasOutput && !options.goesOnAfterOutputs
                guard let to = try add(next, steps: steps + [step], isEnd: isEnd) else { continue }
                exploration.transitions.append(.init(from: number, to: to, step: step))
                bytes += step.byteCount
            }
        }
        if !leadsOn, moment.workers.isEmpty {
            exploration.findings.append(.init(kind: .deadEnd(refused: refusals), steps: steps))
            bytes += steps.count * ExploredStep.leastByteCount
        }
    }

    /// The index of a new or known state; `nil` if there is no room for it.
    private mutating func add(
        _ moment: ExploredFlow.Moment, steps: [ExploredStep], isEnd: Bool
    ) throws(FlowError) -> Int? {
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
            .init(state: moment.state, rendering: moment.rendering, steps: steps, isEnd: isEnd))
        for expression in options.never where !broken.contains(expression) {
            guard try flow.holds(expression) else { continue }
            broken.insert(expression)
            exploration.findings.append(.init(kind: .broken(never: expression), steps: steps))
        }
        return number
    }

    private mutating func record(
        _ error: FlowError, of step: ExploredStep, after steps: [ExploredStep]
    ) {
        if let action = step.action, step.isGuess || error.isRefusal {
            if refused[action] == nil { refused[action] = error.message }
            return
        }
        let failure = Failure(message: Name(error.message), location: error.location)
        guard failures.insert(failure).inserted else { return }
        bytes += error.message.utf8.count + (steps.count + 1) * ExploredStep.leastByteCount
        exploration.findings.append(.init(kind: .error(error), steps: steps + [step]))
    }

    private var isDone: Bool { options.endsWhenBroken && broken.count == options.never.count }

    /// True if a limit was reached, which is recorded.
    private mutating func mustEnd() throws(FlowError) -> Bool {
        try options.interrupt.check()
        if let limit = options.maximumTime, start.duration(to: .now) > limit {
            exploration.limit = .time
            return true
        }
        guard bytes > options.maximumMemory else { return false }
        exploration.limit = .memory
        return true
    }

    // MARK: What can be done

    private mutating func candidates(in moment: ExploredFlow.Moment) -> [ExploredStep] {
        var steps: [ExploredStep] = []
        var known: Set<[FlowInput.Kind]> = []
        func add(_ step: ExploredStep) {
            if known.insert(step.inputs).inserted { steps.append(step) }
        }
        let root = NodePath([.init(name: flow.name)])
        let types = flow.actionTypes
        let sinks = moment.rendering.exploredSinks
        for sink in sinks {
            add(sink.step())
            for (path, fields) in options.sinks where path == sink.path {
                add(sink.step(with: fields))
            }
        }
        for action in options.actions {
            guard let type = action["type"]?.string else { continue }
            let fitting = sinks.filter { $0.action["type"]?.string == type }
            for sink in fitting { add(sink.step(with: action.record ?? [:])) }
            // A root without a table of actions accepts none, or any.
            let isOfRoot = types.isEmpty ? fitting.isEmpty : types.contains(type)
            if isOfRoot { add(ExploredStep(inputs: [.action(action, node: root)])) }
            if isOfRoot || !fitting.isEmpty { tried.insert(action) }
        }
        if options.guessesActions {
            for type in types {
                let action: Value = ["type": .string(type)]
                add(ExploredStep(inputs: [.action(action, node: root)], isGuess: true))
            }
        }
        for worker in moment.workers {
            let behaviors = worker.behaviors(options)
            declared.insert(worker.name)
            if behaviors.isEmpty { idle.insert(worker.name) }
            steps += behaviors
        }
        return steps
    }
}

extension ExploredStep {
    /// The size of a step that shares its action.
    fileprivate static let leastByteCount = MemoryLayout<ExploredStep>.stride

    /// The approximate size in bytes.
    fileprivate var byteCount: Int {
        inputs.reduce(Self.leastByteCount) { bytes, input in
            if case .action(let action, _) = input { bytes + action.byteCount } else { bytes + 200 }
        }
    }

    /// The action, if it is one.
    fileprivate var action: Value? {
        guard inputs.count == 1, case .action(let action, _)? = inputs.first else { return nil }
        return action
    }
}

extension FlowError {
    /// True if the flow refused an action, or does not know it, as it should for actions from
    /// outside.
    fileprivate var isRefusal: Bool {
        guard code == .unknownAction || code == .unknownNode else { return isRefusalOfFlow }
        switch phase {
        case .apply, nil: return true
        default: return false
        }
    }
}
