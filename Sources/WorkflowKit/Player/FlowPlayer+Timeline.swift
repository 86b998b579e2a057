package import PlainValue
import Workflow
package import WorkflowLua

extension FlowPlayer {
    /// Whether an earlier step is shown, so that workers are held.
    var isInPast: Bool { parked != nil }

    /// Goes one step back.
    package func undo() throws(FlowError) {
        guard step > 0 else {
            throw reported(
                FlowError(.misuse, "there is nothing to undo: this is the beginning"))
        }
        try go(to: step - 1)
    }

    /// Goes one step forward again.
    package func redo() throws(FlowError) {
        guard step < timeline.count else {
            throw reported(
                FlowError(.misuse, "there is nothing to redo: this is the last step"))
        }
        try go(to: step + 1)
    }

    /// Shows another step of the timeline; while it is not the last one workers are held.
    package func go(to step: Int) throws(FlowError) {
        guard let shown = tree, flow != nil else { throw reported(.closed) }
        guard options.keepsTimeline else {
            throw reported(FlowError(.misuse, "this session keeps no timeline"))
        }
        // What workers have sent by now is dealt with first; what they send from now on waits.
        shown.gate.close()
        settle()
        defer { releaseWorkers() }
        guard let flow else { return }
        guard (0...timeline.count).contains(step) else { throw reported(noStep(step)) }
        guard step != self.step else { return }
        if let parked, step == timeline.count {
            show(parked, flow)
            self.parked = nil
        } else {
            try showPast(step, flow, from: shown)
        }
        log.add(.moved(step: step, of: timeline.count))
        cause = log.sequence
        rendered(rendering)
    }

    /// Goes on from the step that is shown: the later ones are given up, and workers that are declared start.
    package func branch() throws(FlowError) {
        guard parked != nil else {
            throw reported(
                FlowError(.misuse, "there is nothing to give up: this is the last step"))
        }
        leavePast(startingAt: step)
        log.add(.moved(step: step, of: timeline.count))
    }

    private func showPast(
        _ step: Int, _ flow: LuaFlow, from shown: FlowTree
    ) throws(FlowError) {
        guard let checkpoint = timeline.checkpoint(before: step) else { return }
        shown.random = flow.randomState
        do throws(FlowError) {
            try rehearse { () throws(FlowError) in
                // Going on from what is shown may be shorter than from the last kept state.
                var past = shown
                if parked == nil || shown.step > step || shown.step < checkpoint.step {
                    past = try makeTree(of: flow, from: checkpoint)
                    if parked == nil { parked = shown }
                    past.random = flow.randomState
                    show(past, flow)
                }
                for input in timeline.inputs[past.step..<step] { playBack(input, in: past) }
            }
        } catch {
            show(shown, flow)
            throw reported(error)
        }
    }

    /// Shows a tree; one that was shown for the past alone is ended.
    private func show(_ next: FlowTree, _ flow: LuaFlow) {
        let before = tree
        tree = next
        workers?.current = next.gate
        if let random = next.random { flow.randomState = random }
        guard let before, before !== parked, before !== next else { return }
        rehearse { before.host.shutDown() }
    }

    /// Gives up the steps after the one that is shown, and lets its workers start.
    ///
    /// - Parameter step: The step of which they are.
    func leavePast(startingAt step: Int) {
        guard let tree, let parked else { return }
        self.parked = nil
        timeline.cut(after: tree.step)
        parked.host.shutDown()
        logRunningWorkers(in: tree, startedAt: step)
        confirmedStep = min(confirmedStep, tree.step)
        if options.onInput == nil { releaseWorkers() }
    }

    // MARK: Looking

    /// The inputs so far and what came of each, by the code as it is now; none without a timeline.
    package func steps() throws(FlowError) -> [FlowStep] {
        guard let first = timeline.checkpoint(before: 0) else { return [] }
        var steps: [FlowStep] = []
        try review(from: first, through: timeline.count) { steps.append($0) }
        return steps
    }

    /// The rendering after a step, by the code as it is now.
    package func rendering(at step: Int) throws(FlowError) -> Value {
        if step == self.step, tree != nil { return rendering }
        guard (0...timeline.count).contains(step),
            let checkpoint = timeline.checkpoint(before: step)
        else {
            throw options.keepsTimeline
                ? noStep(step) : FlowError(.misuse, "this session keeps no timeline")
        }
        return try review(from: checkpoint, through: step) { _ in }
    }

    /// Plays inputs of the timeline in a tree of their own.
    ///
    /// - Returns: Its last rendering.
    @discardableResult
    private func review(
        from checkpoint: Timeline.Checkpoint, through last: Int, _ onStep: (FlowStep) -> Void
    ) throws(FlowError) -> Value {
        settle()
        guard let flow, tree != nil else { throw .closed }
        var rendering = Value.null
        try aside(flow) { () throws(FlowError) in
            let past = try makeTree(of: flow, from: checkpoint)
            defer { past.host.shutDown() }
            rendering = past.host.rendering.value
            for input in timeline.inputs[checkpoint.step..<last] {
                var failure: FlowError?
                let seen = rehearse { failure = playBack(input, in: past) }
                // What failed then fails again, but an interruption ends it all.
                if let failure, failure.code == .interrupted { throw failure }
                let next = past.host.rendering.value
                let changed = rendering.withoutSinks.changedNames(in: next.withoutSinks)
                rendering = next
                let action = seen.actions.first?.action
                onStep(
                    FlowStep(
                        input, action: action?["type"]?.string ?? action?.string, changed: changed,
                        outputs: seen.outputs))
            }
        }
        return rendering
    }

    package func noStep(_ step: Int) -> FlowError {
        FlowError(
            .misuse, "there is no step \(step)",
            help: "steps are counted from 0 to \(timeline.count)")
    }
}
