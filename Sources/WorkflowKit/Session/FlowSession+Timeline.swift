import PlainValue
import Workflow
public import WorkflowLua

extension FlowSession {
    /// The step that is shown: 0 is the beginning, n the moment after the n-th input.
    public var step: Int { tree?.step ?? 0 }

    /// The last step.
    public var stepCount: Int { timeline.count }

    /// The inputs so far; the n-th one leads to step n.
    public var inputs: [FlowInput] { timeline.inputs }

    /// Whether an earlier step is shown, so that workers are held.
    public var isInPast: Bool { parked != nil }

    /// Goes one step back.
    ///
    /// - Throws: A `FlowError` at the beginning.
    public func undo() throws(FlowError) {
        guard step > 0 else {
            throw noted(FlowError(.misuse, "there is nothing to undo: this is the beginning"))
        }
        try go(to: step - 1)
    }

    /// Goes one step forward again.
    ///
    /// - Throws: A `FlowError` at the end.
    public func redo() throws(FlowError) {
        guard step < stepCount else {
            throw noted(FlowError(.misuse, "there is nothing to redo: this is the last step"))
        }
        try go(to: step + 1)
    }

    /// Shows another step of the timeline.
    ///
    /// While it is not the last one workers are held. Going back to the last step lets them go on; an action that is
    /// sent instead gives up the later steps, and workers that are declared then start.
    ///
    /// - Throws: A `FlowError` for a step that there is not; nothing is changed then.
    public func go(to step: Int) throws(FlowError) {
        guard let tree, flow != nil else {
            throw noted(FlowError(.misuse, "the session is closed"))
        }
        guard options.keepsTimeline else {
            throw noted(FlowError(.misuse, "this session keeps no timeline"))
        }
        // What workers have sent by now is dealt with first; what they send from now on waits.
        tree.gate.close()
        settle()
        defer { releaseWorkers() }
        guard let flow else { return }
        guard (0...stepCount).contains(step) else {
            throw noted(noStep(step))
        }
        guard step != self.step else { return }
        if let parked, step == stepCount {
            show(parked, flow)
            self.parked = nil
        } else {
            try showPast(step, flow, from: tree)
        }
        log.add(.moved(step: step, of: stepCount))
        cause = log.sequence
        noteRendering(rendering)
    }

    /// Goes on from the step that is shown: the later ones are given up, and workers that are declared start.
    ///
    /// An action that is sent does the same by itself.
    ///
    /// - Throws: A `FlowError` at the last step.
    public func branch() throws(FlowError) {
        guard parked != nil else {
            throw noted(
                FlowError(.misuse, "there is nothing to give up: this is the last step"))
        }
        leavePast()
        log.add(.moved(step: step, of: stepCount))
    }

    private func showPast(
        _ step: Int, _ flow: LuaFlow, from shown: FlowTree
    ) throws(FlowError) {
        guard let checkpoint = timeline.checkpoint(before: step) else { return }
        isPlayingBack = true
        defer {
            isPlayingBack = false
            log.inputTime = nil
        }
        shown.random = flow.randomState
        // Going on from what is shown may be shorter than from the last kept state.
        var past = shown
        if parked == nil || shown.step > step || shown.step < checkpoint.step {
            do throws(FlowError) {
                flow.randomState = checkpoint.random
                past = try makeTree(
                    of: flow, props: checkpoint.props, restoring: checkpoint.tree,
                    step: checkpoint.step)
            } catch {
                show(shown, flow)
                throw noted(error)
            }
            past.retire(checkpoint.ended)
            if parked == nil { parked = shown }
            past.random = flow.randomState
            show(past, flow)
        }
        for input in timeline.inputs[past.step..<step] { playBack(input, in: past) }
    }

    /// Shows a tree; one that was shown for the past alone is ended.
    private func show(_ next: FlowTree, _ flow: LuaFlow) {
        let before = tree
        tree = next
        workers.current = next.gate
        if let random = next.random { flow.randomState = random }
        guard let before, before !== parked, before !== next else { return }
        let wasPlayingBack = isPlayingBack
        isPlayingBack = true
        before.host.shutDown()
        isPlayingBack = wasPlayingBack
    }

    /// Gives up the steps after the one that is shown, and lets its workers start.
    func leavePast() {
        guard let tree, let parked else { return }
        self.parked = nil
        timeline.cut(after: tree.step)
        parked.host.shutDown()
        noteWorkersStart(in: tree)
        confirmedStep = min(confirmedStep, tree.step)
        if options.onInput == nil { releaseWorkers() }
    }

    /// Tells of the workers that were declared while nobody was told.
    func noteWorkersStart(in tree: FlowTree) {
        for worker in tree.host.workers(of: ScriptedWorker.self) where !worker.hasEnded {
            guard let last = worker.path.components.last else { continue }
            workerStarts[worker.path] = log.time
            let node = NodePath(Array(worker.path.components.dropLast())).description
            log.add(.worker(.started, worker: last.name, key: last.key, node: node))
        }
    }

    /// The state of the session at the step that a tree shows.
    func checkpoint(of tree: FlowTree, _ flow: LuaFlow) -> Timeline.Checkpoint {
        Timeline.Checkpoint(
            step: tree.step, tree: tree.host.makeSnapshot(), random: flow.randomState,
            props: tree.props, ended: tree.endedWorkers)
    }
}
