package import PlainValue
import Workflow
package import WorkflowLua

// Single steps, looked at one after the other; what is shown stays where it is.
extension FlowPlayer {
    /// The last steps that were looked at.
    struct SeenMoments {
        /// Two, since most looks compare a step with the one before it.
        private static let most = 2

        private var moments: [(version: [Int], moment: FlowMoment)] = []

        func moment(at step: Int, version: [Int]) -> FlowMoment? {
            moments.first { $0.moment.step == step && $0.version == version }?.moment
        }

        mutating func add(_ moment: FlowMoment, version: [Int]) {
            moments.removeAll { $0.moment.step == moment.step || $0.version[0] != version[0] }
            moments = moments.suffix(Self.most - 1) + [(version, moment)]
        }

        /// Forgets all of them.
        mutating func removeAll() { moments = [] }
    }

    /// What was shown after a step, by the code as it is now; by default what is shown.
    package func moment(at step: Int? = nil) throws(FlowError) -> FlowMoment {
        let step = step ?? self.step
        let version = version(of: step)
        if let seen = seenMoments.moment(at: step, version: version) { return seen }
        let moment: FlowMoment
        if step == self.step, let tree {
            moment = FlowMoment(
                step: step, rendering: rendering, root: nodes(of: tree, started: workerStarts))
        } else {
            var found: FlowMoment?
            try play(from: step, through: step) { found = makeMoment(of: $0) }
            guard let found else { throw .closed }
            moment = found
        }
        seenMoments.add(moment, version: version)
        return moment
    }

    /// How a step came of the one before it, by the code as it is now.
    package func passage(to step: Int) throws(FlowError) -> FlowPassage {
        guard step > 0 else { throw noStep(step) }
        var passage: FlowPassage?
        try passages(step...step) {
            passage = $0
            return true
        }
        guard let passage else { throw .closed }
        for moment in [passage.before, passage.after] where moment.step != self.step {
            seenMoments.add(moment, version: version(of: moment.step))
        }
        return passage
    }

    /// How some steps came of those before them, in order.
    ///
    /// - Parameter onStep: Called after each of them; `false` ends it.
    package func passages(
        _ steps: ClosedRange<Int>, onStep: (FlowPassage) -> Bool
    ) throws(FlowError) {
        let observer = RenderedNodes()
        observers = [observer]
        defer { observers = [] }
        var before: FlowMoment?
        var goesOn = true
        try play(
            from: steps.lowerBound - 1, through: steps.upperBound
        ) { (tree, seen, failure) throws(FlowError) in
            let after = makeMoment(of: tree)
            if let before {
                goesOn = onStep(
                    FlowPassage(
                        before: before, after: after, input: timeline.inputs[after.step - 1],
                        rendered: observer.nodes, actions: seen.actions, outputs: seen.outputs,
                        failure: failure))
            }
            observer.nodes = []
            before = after
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
            from: steps.lowerBound, through: steps.upperBound
        ) { (tree, _, _) throws(FlowError) in
            guard goesOn else { return }
            goesOn = try onStep(
                tree.step, tree.host.rendering.value, tree.props,
                tree.host.state(of: LuaWorkflow.self, at: root)?.value ?? .null)
        } whileTrue: {
            goesOn
        }
    }

    /// What makes a moment another one, though its step is the same.
    private func version(of step: Int) -> [Int] {
        // What is shown changes with its workers, too.
        step == self.step ? [timeline.revision, log.sequence] : [timeline.revision]
    }

    private func makeMoment(of tree: FlowTree) -> FlowMoment {
        FlowMoment(
            step: tree.step, rendering: tree.host.rendering.value,
            root: nodes(of: tree, started: [:]))
    }

    /// Plays steps of the timeline in a tree of their own.
    ///
    /// - Parameter onStep: Called after each of them, the first included, with what came of its input.
    private func play(
        from first: Int, through last: Int,
        _ onStep: (FlowTree, Rehearsal, FlowError?) throws(FlowError) -> Void,
        whileTrue goesOn: () -> Bool = { true }
    ) throws(FlowError) {
        guard options.keepsTimeline else {
            throw FlowError(.misuse, "this session keeps no timeline")
        }
        guard first >= 0 else { throw noStep(first) }
        guard last <= timeline.count else { throw noStep(last) }
        settle()
        guard let flow, tree != nil, let checkpoint = timeline.checkpoint(before: first) else {
            throw .closed
        }
        try aside(flow) { () throws(FlowError) in
            let past = try makeTree(of: flow, from: checkpoint)
            defer { past.host.shutDown() }
            if past.step >= first { try onStep(past, Rehearsal(), nil) }
            while past.step < last, goesOn() {
                var failure: FlowError?
                let seen = rehearse { failure = playBack(timeline.inputs[past.step], in: past) }
                // What failed then fails again, but an interruption ends it all.
                if let failure, failure.code == .interrupted { throw failure }
                if past.step >= first { try onStep(past, seen, failure) }
            }
        }
    }

    private func play(
        from first: Int, through last: Int, _ onStep: (FlowTree) -> Void
    ) throws(FlowError) {
        try play(from: first, through: last, { (tree, _, _) throws(FlowError) in onStep(tree) })
    }
}

/// The nodes that a tree renders, in order.
private final class RenderedNodes: WorkflowObserver {
    var nodes: [(node: NodePath, cause: RenderCause)] = []

    func willRender<W: Workflow>(
        _ workflow: W, state: W.State, cause: RenderCause, node: NodeIdentity
    ) {
        nodes.append((node.path, cause))
    }
}
