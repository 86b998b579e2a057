import LuaVM
import PlainValue
import WorkflowKit
import WorkflowLua

// Random walks go further than a search that ended at a limit.
extension ExplorationSearch {
    /// Walks at random from the beginning, and shortens the ways to what is found.
    mutating func walk(from beginning: ExploredFlow.Moment) throws(FlowError) {
        let seed = options.limits.seed
        var random = LuaRandom([seed, ~seed, 1, 2])
        for _ in 0..<options.walks where !isTimeUp {
            exploration.walks += 1
            let (found, reached) = (exploration.findings.count, exploration.reached.count)
            try walkOnce(from: beginning, &random)
            for number in found..<exploration.findings.count {
                let finding = exploration.findings[number]
                exploration.findings[number].steps = try shortened(
                    finding.steps, from: beginning, to: finding.kind)
            }
            for number in reached..<exploration.reached.count {
                let (expression, steps) = exploration.reached[number]
                exploration.reached[number].steps = try shortened(
                    steps, from: beginning, to: .broken(never: expression))
            }
        }
    }

    private mutating func walkOnce(
        from beginning: ExploredFlow.Moment, _ random: inout LuaRandom
    ) throws(FlowError) {
        var moment = beginning
        var steps: [ExploredStep] = []
        while steps.count < options.walkLength {
            var open = candidates.steps(in: moment)
            var next: ExploredFlow.Moment?
            while next == nil, !open.isEmpty {
                var step = open.remove(at: Int.random(in: 0..<open.count, using: &random))
                guard
                    case .moved(let moved, let hasOutput, let played) = try play(
                        step, from: moment, after: steps)
                else { continue }
                step.inputs = Array(step.inputs.prefix(played))
                steps.append(step)
                try look(after: steps)
                if try endsWay(hasOutput) { return }
                next = moved
            }
            guard let next else { return }
            moment = next
        }
    }

    private func endsWay(_ hasOutput: Bool) throws(FlowError) -> Bool {
        if hasOutput, !options.goesOnAfterOutputs { return true }
        return try isBeyond()
    }

    // MARK: Shorter ways

    /// A shorter way to a finding: parts of halved lengths are left out while it is still found.
    private func shortened(
        _ steps: [ExploredStep], from beginning: ExploredFlow.Moment,
        to finding: FlowExploration.Finding.Kind
    ) throws(FlowError) -> [ExploredStep] {
        var steps = steps
        var length = max(steps.count / 2, 1)
        while length > 0 {
            var first = 0
            while first < steps.count {
                var fewer = steps
                fewer.removeSubrange(first..<min(first + length, steps.count))
                if let shorter = try way(along: fewer, from: beginning, to: finding) {
                    steps = shorter
                } else {
                    first += length
                }
            }
            length /= 2
        }
        return steps
    }

    /// The steps that lead to a finding, without those that cannot be done; `nil` if none do.
    private func way(
        along steps: [ExploredStep], from beginning: ExploredFlow.Moment,
        to finding: FlowExploration.Finding.Kind
    ) throws(FlowError) -> [ExploredStep]? {
        var moment = beginning
        var done: [ExploredStep] = []
        for step in steps where step.isPossible(in: moment) {
            try options.interrupt.check()
            switch (flow.play(step, from: moment), finding) {
            case (.failed(let error), .error(let wanted)):
                if Failure(error) == Failure(wanted) { return done + [step] }
            case (.failed, _): break
            case (.moved(let next, let hasOutput, _), _):
                done.append(step)
                if case .broken(let expression) = finding, try flow.holds(expression) {
                    return done
                }
                if try endsWay(hasOutput) { return nil }
                moment = next
            }
        }
        return nil
    }
}

extension ExploredStep {
    /// True if the rendering still has its sink, or its worker still runs and may be next.
    fileprivate func isPossible(in moment: ExploredFlow.Moment) -> Bool {
        if let sink {
            return moment.rendering.exploredSinks.contains {
                $0.path == sink && $0.step(with: fields).inputs == inputs
            }
        }
        guard case .worker? = inputs.first else { return true }
        guard let worker = worker(in: moment), moment.timers.isDue(worker) else { return false }
        return !isInjected || !moment.failed.contains(worker.path)
    }
}
