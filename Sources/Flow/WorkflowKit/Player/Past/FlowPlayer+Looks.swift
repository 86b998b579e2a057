import LuaVM
import PlainValue
import Workflow
import WorkflowLua

// Looks at the past; the shown step stays.
extension FlowPlayer {
    /// Results of looks that later looks can use.
    struct Looks {
        /// The rehearsal of the last look, where it ended: the next look is often soon after.
        var rehearsal: Rehearsal?
        /// The revision of the timeline that these results belong to.
        var revision = 0
        var transition: FlowTransition?
        /// The last look at the shown step, and the number of the last event before it.
        var shown: (event: Int, moment: FlowMoment)?
        /// The state before the input that was traced last, which a debugger replays several times.
        var traced: FlowCheckpoint?
    }

    func look(at step: Int) throws(FlowError) -> (rendering: Value, root: FlowNode) {
        let moment = try moment(at: step)
        return (moment.rendering, moment.root)
    }

    private func moment(at step: Int) throws(FlowError) -> FlowMoment {
        if step == self.step, let tree {
            // Workers change without a step, but never without an event.
            if let shown = past.looks.shown, shown.event == log.sequence { return shown.moment }
            let moment = FlowMoment(
                step: step, rendering: rendering, root: nodes(of: tree, workers.starts))
            past.looks.shown = (log.sequence, moment)
            return moment
        }
        if let known = knownTransition, known.before.step == step { return known.before }
        guard step <= 0 else { return try transition(to: step).after }
        return try look(from: step, through: step) { $0.moment }
    }

    func rendering(at step: Int) throws(FlowError) -> Value {
        if step == self.step, tree != nil { return rendering }
        return try look(from: step, through: step) { $0.rendering }
    }

    private func transition(to step: Int) throws(FlowError) -> FlowTransition {
        if let known = knownTransition, known.after.step == step { return known }
        guard step > 0 else { throw noStep(step) }
        var found: FlowTransition?
        try forEachTransition(step...step) { transition in
            found = transition
            return true
        }
        guard let found else { throw .closed }
        past.looks.transition = found
        return found
    }

    /// The transition that was looked at last, if the timeline still has it.
    private var knownTransition: FlowTransition? {
        past.looks.revision == past.timeline.revision ? past.looks.transition : nil
    }

    func transitions(
        _ steps: ClosedRange<Int>,
        onStep: (_ before: FlowNode, _ after: FlowNode, _ played: Rehearsal.Played) -> Bool
    ) throws(FlowError) {
        guard steps.count > 1 else {
            let transition = try transition(to: steps.lowerBound)
            _ = onStep(transition.before.root, transition.after.root, transition.played)
            return
        }
        try forEachTransition(steps) { onStep($0.before.root, $0.after.root, $0.played) }
    }

    private func forEachTransition(
        _ steps: ClosedRange<Int>, onStep: (FlowTransition) -> Bool
    ) throws(FlowError) {
        let first = steps.lowerBound - 1
        let known = knownTransition?.after
        try look(from: first, through: steps.upperBound) { (rehearsal) throws(FlowError) in
            var before = known?.step == first ? known ?? rehearsal.moment : rehearsal.moment
            while rehearsal.step < steps.upperBound {
                let played = try rehearsal.advance(notingRenders: true)
                let transition = FlowTransition(
                    before: before, after: rehearsal.moment, played: played)
                before = transition.after
                guard onStep(transition) else { return }
            }
        }
    }

    func steps() throws(FlowError) -> [FlowStep] {
        guard options.keepsTimeline, past.timeline.count > 0 else { return [] }
        let first = past.timeline.firstReplayable
        var steps = past.timeline.inputs[..<first].map { FlowStep($0) }
        try look(from: first, through: past.timeline.count) { (rehearsal) throws(FlowError) in
            for input in past.timeline.inputs[first...] {
                let before = rehearsal.rendering
                let played = try rehearsal.advance()
                let action = played.actions.first?.action
                steps.append(
                    FlowStep(
                        input, action: action?["type"]?.string ?? action?.string,
                        changed: before.withoutSinks.changedNames(
                            in: played.rendering.withoutSinks),
                        outputs: played.outputs))
            }
        }
        return steps
    }

    func search(
        from first: Int?, through last: Int,
        onStep: (_ step: Int, _ rendering: Value, _ props: Value, _ state: Value)
            throws(FlowError) -> Bool
    ) throws(FlowError) {
        guard let root = flow?.rootPath else { throw .closed }
        try look(from: first ?? past.timeline.firstReplayable, through: last) {
            (rehearsal) throws(FlowError) in
            while true {
                let tree = rehearsal.tree
                let state = tree.host.state(of: LuaWorkflow.self, at: root)?.value ?? .null
                guard try onStep(tree.step, rehearsal.rendering, tree.props, state),
                    tree.step < last
                else { return }
                try rehearsal.advance()
            }
        }
    }

    func forgetLooks() {
        let last = past.looks.rehearsal
        past.looks = Looks()
        last?.end()
    }

    /// Calls a function with a rehearsal at a step, with which the next look continues.
    private func look<Result>(
        from first: Int, through last: Int,
        _ body: (Rehearsal) throws(FlowError) -> Result
    ) throws(FlowError) -> Result {
        try prepareLook(from: first, through: last)
        if past.looks.revision != past.timeline.revision { forgetLooks() }
        past.looks.revision = past.timeline.revision
        do throws(FlowError) {
            let rehearsal = try lookingRehearsal(before: first)
            past.looks.rehearsal = rehearsal
            try rehearsal.advance(to: first)
            let result = try body(rehearsal)
            // The rehearsal must not take the interpreter's memory that the session's calls need.
            if let flow, flow.memoryInUse > options.limits.memoryLimit / 2 {
                past.looks.rehearsal = nil
                rehearsal.end()
            }
            return result
        } catch {
            // The rehearsal may have stopped within a step.
            forgetLooks()
            throw error
        }
    }

    /// The rehearsal from which a step is reached by the fewest inputs.
    private func lookingRehearsal(before step: Int) throws(FlowError) -> Rehearsal {
        guard let checkpoint = past.timeline.checkpoint(before: step) else { throw .closed }
        if let known = past.looks.rehearsal, known.isUsable {
            if checkpoint.step...step ~= known.step { return known }
            if known.goOn(from: checkpoint) { return known }
        }
        let last = past.looks.rehearsal
        past.looks.rehearsal = nil
        last?.end()
        return try Rehearsal(of: self, from: checkpoint)
    }

    /// Processes queued news, and checks that a range of steps can be replayed.
    private func prepareLook(from first: Int, through last: Int) throws(FlowError) {
        guard options.keepsTimeline else { throw FlowError(.noTimeline) }
        guard first >= 0 else { throw noStep(first) }
        guard last <= past.timeline.count else { throw noStep(last) }
        settle()
        guard flow != nil, tree != nil else { throw .closed }
        guard first >= past.timeline.firstReplayable else { throw notReplayable(first) }
    }

    func noStep(_ step: Int) -> FlowError {
        FlowError(.noStep, step, past.timeline.count)
    }

    // MARK: Tracing

    func rehearse<Result>(
        at step: Int, _ body: (Rehearsal) throws(FlowError) -> Result
    ) throws(FlowError) -> Result {
        try rehearse(before: step) { (rehearsal) throws(FlowError) in
            let first = rehearsal.step
            try rehearsal.advance(to: step)
            if first < step, rehearsal.tree.isWhole {
                if past.looks.revision != past.timeline.revision { forgetLooks() }
                past.looks.revision = past.timeline.revision
                past.looks.traced = rehearsal.checkpoint
            }
            return try body(rehearsal)
        }
    }

    func rehearse<Result>(
        before step: Int, _ body: (Rehearsal) throws(FlowError) -> Result
    ) throws(FlowError) -> Result {
        try prepareLook(from: step, through: step)
        guard let checkpoint = nearestCheckpoint(before: step) else { throw .closed }
        return try rehearse(from: checkpoint, body)
    }

    func rehearse<Result>(
        from checkpoint: FlowCheckpoint, workflow: LuaWorkflow? = nil,
        tracing trace: FlowTrace? = nil, _ body: (Rehearsal) throws(FlowError) -> Result
    ) throws(FlowError) -> Result {
        let rehearsal = try Rehearsal(
            of: self, from: checkpoint, workflow: workflow, tracing: trace)
        defer { rehearsal.end() }
        return try body(rehearsal)
    }

    /// The last state at or before a step that is kept, in the timeline or by the last trace.
    private func nearestCheckpoint(before step: Int) -> FlowCheckpoint? {
        guard let kept = past.timeline.checkpoint(before: step) else { return nil }
        guard let last = past.looks.traced, past.looks.revision == past.timeline.revision,
            (kept.step...step).contains(last.step)
        else { return kept }
        return last
    }

    func replayBeginning(
        _ trace: FlowTrace, byCodeOfNow isOfNow: Bool
    ) throws(FlowError) -> Rehearsal.Played {
        // Requires the flow, not the tree: a flow whose first render fails has no tree, and its
        // beginning is traced to find out why.
        guard let origin = past.origin, flow != nil else { throw .closed }
        guard options.keepsTimeline else { throw FlowError(.noTimeline) }
        settle()
        do throws(FlowError) {
            let rehearsal = try Rehearsal(
                of: self, from: origin, byCodeOfNow: isOfNow, tracing: trace)
            defer { rehearsal.end() }
            return Rehearsal.Played(step: 0, renderingBefore: nil, rendering: rehearsal.rendering)
        } catch {
            return Rehearsal.Played(step: 0, renderingBefore: nil, rendering: .null, failure: error)
        }
    }

    func replay(
        _ steps: ClosedRange<Int>, _ trace: FlowTrace, onStep: (Rehearsal.Played) -> Bool
    ) throws(FlowError) {
        var first = steps.lowerBound
        if first == 0 {
            let begun = try replayBeginning(trace)
            guard onStep(begun), begun.failure == nil else { return }
            first = 1
        }
        guard first <= steps.upperBound else { return }
        guard steps.upperBound <= past.timeline.count else { throw noStep(steps.upperBound) }
        try rehearse(at: first - 1) { (rehearsal) throws(FlowError) in
            for _ in first...steps.upperBound {
                guard onStep(try rehearsal.advance(tracing: trace)) else { return }
            }
        }
    }

    func replay(
        _ input: FlowInput?, after step: Int, byCodeOfNow isOfNow: Bool = false,
        _ trace: FlowTrace
    ) throws(FlowError) -> Rehearsal.Played {
        guard let input else { return try replayBeginning(trace, byCodeOfNow: isOfNow) }
        return try rehearse(at: step) { (rehearsal) throws(FlowError) in
            if isOfNow {
                try rehearsal.takeCodeOfNow()
            } else if step < past.timeline.count, past.timeline.inputs[step] == input {
                // `advance` handles a reload that kept the state after the step; `play` does not.
                return try rehearsal.advance(tracing: trace)
            }
            return try rehearsal.play(input, tracing: trace)
        }
    }
}

extension FlowPlayer {
    /// The code that played the step after a step; `nil` for the current code, an error if lost.
    func earlierCode(after step: Int) throws(FlowError) -> Timeline.EarlierCode? {
        guard step >= past.timeline.firstReplayable else { throw notReplayable(step) }
        guard let code = past.timeline.earlierCode(after: step) else { return nil }
        // The code was loaded in a script process that has ended since.
        guard code.flow.generation == flow?.generation else { throw notReplayable(step) }
        return code
    }

    func notReplayable(_ step: Int) -> FlowError { .notReplayable(step...step) }
}
