import LuaVM
package import PlainValue
import Workflow
package import WorkflowLua

// Single steps, looked at one after the other; what is shown stays where it is.
extension FlowPlayer {
    /// What looking at steps leaves for the next look.
    struct Looks {
        /// The tree in which steps are played again, where it has come to: the next look is often at a step soon after.
        var tree: FlowTree?
        /// The timeline that all of this is of.
        var revision = 0
        /// The last passage that was looked at.
        var passage: FlowPassage?
        /// The last moment that was looked at of what is shown, and the last event before it.
        var shown: (event: Int, moment: FlowMoment)?
        /// The state from which a single step was played again last, and the timeline that it is of.
        var retraced: (checkpoint: Timeline.Checkpoint, revision: Int)?
    }

    /// What was shown after a step, by the code as it is now; by default what is shown.
    package func moment(at step: Int? = nil) throws(FlowError) -> FlowMoment {
        let step = step ?? self.step
        guard step == self.step, let tree else {
            if let passage = knownPassage, passage.before.step == step {
                return passage.before
            }
            guard step == 0 else { return try passage(to: step).after }
            var first: FlowMoment?
            try play(from: 0, through: 0) { (tree, _, _) throws(FlowError) in
                first = makeMoment(of: tree)
            }
            guard let first else { throw .closed }
            return first
        }
        // Its workers change, too.
        if let shown = looks.shown, shown.event == log.sequence { return shown.moment }
        let moment = FlowMoment(
            step: step, rendering: rendering, root: nodes(of: tree, workerStarts))
        looks.shown = (log.sequence, moment)
        return moment
    }

    /// How a step came of the one before it, by the code as it is now.
    package func passage(to step: Int) throws(FlowError) -> FlowPassage {
        if let passage = knownPassage, passage.after.step == step { return passage }
        guard step > 0 else { throw noStep(step) }
        var found: FlowPassage?
        try passages(step...step) { passage in
            found = passage
            return true
        }
        guard let found else { throw .closed }
        looks.passage = found
        return found
    }

    /// The last passage that was looked at, if it is still one of the timeline.
    private var knownPassage: FlowPassage? {
        looks.revision == timeline.revision ? looks.passage : nil
    }

    /// How some steps came of those before them, in order.
    ///
    /// - Parameter onStep: Called after each of them; `false` ends it.
    package func passages(
        _ steps: ClosedRange<Int>, onStep: (FlowPassage) -> Bool
    ) throws(FlowError) {
        var before: FlowMoment?
        var goesOn = true
        try play(
            from: steps.lowerBound - 1, through: steps.upperBound
        ) { (tree, seen, failure) throws(FlowError) in
            var after: FlowMoment?
            if before == nil, let known = looks.passage?.after, known.step == tree.step {
                after = known
            }
            let moment = after ?? makeMoment(of: tree)
            if let before {
                goesOn = onStep(
                    FlowPassage(
                        before: before, after: moment, input: timeline.inputs[moment.step - 1],
                        rendered: tree.host.notedRenders ?? [], actions: seen.actions,
                        outputs: seen.outputs,
                        failure: failure))
            }
            before = moment
        } whileTrue: {
            goesOn
        }
    }

    /// The renderings and states of some steps, in order, for whoever looks for one among them.
    ///
    /// - Parameter onStep: Called with each of them; `false` ends it.
    package func search(
        _ steps: ClosedRange<Int>,
        onStep: (_ step: Int, _ rendering: Value, _ props: Value, _ state: Value)
            throws(FlowError) -> Bool
    ) throws(FlowError) {
        guard let root = flow?.rootPath else { throw .closed }
        var goesOn = true
        try play(
            from: steps.lowerBound, through: steps.upperBound, isObserved: false
        ) { (tree, _, _) throws(FlowError) in
            guard goesOn else { return }
            goesOn = try onStep(
                tree.step, tree.host.rendering.value, tree.props,
                tree.host.state(of: LuaWorkflow.self, at: root)?.value ?? .null)
        } whileTrue: {
            goesOn
        }
    }

    /// Forgets all that looking at steps has left.
    package func forgetLooks() {
        endLookTree()
        looks = Looks()
    }

    private func endLookTree() {
        if let tree = looks.tree { rehearse { tree.host.shutDown() } }
        looks.tree = nil
    }

    private func makeMoment(of tree: FlowTree) -> FlowMoment {
        FlowMoment(
            step: tree.step, rendering: tree.host.rendering.value,
            root: nodes(of: tree))
    }

    /// Plays steps of the timeline in a tree of their own.
    ///
    /// - Parameters:
    ///   - isObserved: Whether the nodes that are rendered in them are noted.
    ///   - onStep: Called after each of them, the first included, with what came of its input.
    private func play(
        from first: Int, through last: Int, isObserved: Bool = true,
        _ onStep: (FlowTree, Rehearsal, FlowError?) throws(FlowError) -> Void,
        whileTrue goesOn: () -> Bool = { true }
    ) throws(FlowError) {
        guard options.keepsTimeline else {
            throw FlowError(.misuse, "this session keeps no timeline")
        }
        guard first >= 0 else { throw noStep(first) }
        guard last <= timeline.count else { throw noStep(last) }
        settle()
        guard let flow, tree != nil else { throw .closed }
        // What is left for the next look must not be what a call of the session lacks.
        defer { if flow.memoryInUse > options.limits.memoryLimit / 2 { endLookTree() } }
        do throws(FlowError) {
            try aside(flow) { () throws(FlowError) in
                var past = try pastTree(before: first, flow)
                defer { past.random = flow.randomState }
                if past.step >= first { try onStep(past, Rehearsal(), nil) }
                while past.step < last, goesOn() {
                    var failure: FlowError?
                    let input = timeline.inputs[past.step]
                    past.host.notedRenders = isObserved && past.step >= first ? [] : nil
                    let seen = rehearse { failure = playBack(input, in: past) }
                    // What failed then fails again, but an interruption ends it all.
                    if let failure, failure.code == .interrupted { throw failure }
                    if let kept = timeline.kept(at: past.step) {
                        let noted = past.host.notedRenders
                        past = try pastTree(from: kept, flow)
                        past.host.notedRenders = noted
                    }
                    if past.step >= first { try onStep(past, seen, failure) }
                }
            }
        } catch {
            forgetLooks()
            throw error
        }
    }

    /// A tree at a step or before it, from which going on is the shortest.
    private func pastTree(before step: Int, _ flow: LuaFlow) throws(FlowError) -> FlowTree {
        guard let checkpoint = timeline.checkpoint(before: step) else { throw .closed }
        if looks.revision != timeline.revision { forgetLooks() }
        if let known = looks.tree, known.generation == flow.generation,
            checkpoint.step...step ~= known.step
        {
            flow.randomState = known.random ?? flow.randomState
            workers?.current = known.gate
            return known
        }
        return try pastTree(from: checkpoint, flow)
    }

    private func pastTree(
        from checkpoint: Timeline.Checkpoint, _ flow: LuaFlow
    ) throws(FlowError) -> FlowTree {
        if let known = looks.tree, known.generation == flow.generation {
            workers?.current = known.gate
            if known.goOn(from: checkpoint, of: flow) { return known }
        }
        endLookTree()
        let past = try makeTree(of: flow, from: checkpoint)
        looks.tree = past
        looks.revision = timeline.revision
        return past
    }
}
