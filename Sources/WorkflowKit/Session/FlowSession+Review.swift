public import PlainValue
import Workflow
public import WorkflowLua

/// Looking at earlier steps without going there.
extension FlowSession {
    /// The inputs so far and what came of each, by the code as it is now; none for a session without a timeline.
    ///
    /// The inputs are played again aside, which takes as long as the flow took for them. Nothing is changed by it, and
    /// nobody is told of it.
    ///
    /// - Throws: A `FlowError` if the session is closed or its beginning cannot be made again, and one with the code
    ///   `interrupted` after ``interrupt()``.
    public func steps() throws(FlowError) -> [FlowStep] {
        guard let first = timeline.checkpoint(before: 0) else { return [] }
        var steps: [FlowStep] = []
        try review(from: first, through: stepCount) { steps.append($0) }
        return steps
    }

    /// The rendering after a step, by the code as it is now; the session stays where it is.
    ///
    /// - Throws: As ``steps()``, and a `FlowError` for a step that there is not.
    public func rendering(at step: Int) throws(FlowError) -> Value {
        if step == self.step, tree != nil { return rendering }
        guard (0...stepCount).contains(step), let kept = timeline.checkpoint(before: step) else {
            throw options.keepsTimeline
                ? noStep(step) : FlowError(.misuse, "this session keeps no timeline")
        }
        return try review(from: kept, through: step) { _ in }
    }

    /// Plays inputs of the timeline in a tree of their own, and gives its last rendering.
    @discardableResult
    private func review(
        from kept: Timeline.Checkpoint, through last: Int, _ take: (FlowStep) -> Void
    ) throws(FlowError) -> Value {
        settle()
        guard let flow, tree != nil else { throw FlowError(.misuse, "the session is closed") }
        let (random, gate) = (flow.randomState, workers.current)
        isPlayingBack = true
        defer {
            isPlayingBack = false
            reviewed = nil
            failure = nil
            log.inputTime = nil
            flow.randomState = random
            workers.current = gate
        }
        flow.randomState = kept.random
        let past = try makeTree(
            of: flow, props: kept.props, restoring: kept.tree, step: kept.step)
        defer { past.host.shutDown() }
        past.retire(kept.ended)
        var rendering = past.host.rendering.value
        for input in timeline.inputs[kept.step..<last] {
            reviewed = FlowStep(input)
            // What failed then fails again, but an interruption ends it all.
            if let error = playBack(input, in: past), error.code == .interrupted { throw error }
            let next = past.host.rendering.value
            guard var step = reviewed else { break }
            step.changed = rendering.withoutSinks.changedNames(in: next.withoutSinks)
            rendering = next
            take(step)
        }
        return rendering
    }

    /// What is said of a step that there is not.
    func noStep(_ step: Int) -> FlowError {
        FlowError(
            .misuse, "there is no step \(step)", help: "steps are counted from 0 to \(stepCount)")
    }
}
