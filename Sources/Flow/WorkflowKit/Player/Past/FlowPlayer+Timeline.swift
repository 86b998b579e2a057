import Workflow
import WorkflowLua

extension FlowPlayer {
    var isInPast: Bool { past.parked != nil }

    func undo() throws(FlowError) {
        guard step > 0 else { throw reported(FlowError(.nothingToUndo)) }
        try go(to: step - 1)
    }

    func redo() throws(FlowError) {
        guard step < past.timeline.count else { throw reported(FlowError(.nothingToRedo)) }
        try go(to: step + 1)
    }

    func go(to step: Int) throws(FlowError) {
        guard let shown = tree, flow != nil else { throw reported(.closed) }
        guard options.keepsTimeline else { throw reported(FlowError(.noTimeline)) }
        // Outputs that workers have sent are processed first; later ones wait.
        shown.gate.close()
        settle()
        defer { releaseWorkers() }
        guard let flow else { return }
        guard (0...timeline.count).contains(step) else { throw reported(noStep(step)) }
        guard step != self.step else { return }
        guard step >= past.timeline.firstReplayable else { throw reported(notReplayable(step)) }
        if let parked = past.parked, step == past.timeline.count {
            show(parked, flow)
            past.parked = nil
        } else {
            try showPast(step, flow, from: shown)
        }
        assert(self.step == step && isInPast == (step < timeline.count))
        logMove()
        processing.cause = log.sequence
        rendered(rendering)
    }

    /// Logs the shown step, with its state if other code led to it.
    func logMove() {
        guard let tree, let flow else { return }
        let state = tree.entry ?? past.timeline.kept(at: tree.step)
        log.add(
            .moved(
                step: tree.step, of: past.timeline.count,
                snapshot: state.flatMap { document(of: $0, flow) }))
    }

    func go(to step: Int, from snapshot: FlowSnapshot) throws(FlowError) {
        guard let shown = tree else { throw reported(.closed) }
        shown.gate.close()
        settle()
        defer { releaseWorkers() }
        guard let flow else { return }
        guard (0...timeline.count).contains(step) else { throw reported(noStep(step)) }
        let next = try Rehearsal(
            of: self,
            from: FlowCheckpoint(
                step: step, tree: snapshot.tree, random: snapshot.random, props: snapshot.props,
                ended: snapshot.endedWorkers, refusals: snapshot.refusals),
            byCodeOfNow: true)
        try next.requireWhole()
        next.tree.random = next.random
        let (parked, state) = (past.parked, next.checkpoint)
        if step == timeline.count {
            past.parked = nil
            past.timeline.revise(after: step - 1)
            past.timeline.keep(state, after: nil)
        } else {
            if parked == nil { (shown.random, past.parked) = (flow.randomState, shown) }
            next.tree.entry = state
        }
        let moves = step != shown.step
        show(next.tree, flow)
        if past.parked == nil, let parked { endSilently(parked) }
        assert(self.step == step && isInPast == (step < timeline.count))
        if moves {
            logMove()
        } else {
            log.add(.reloaded(hash: flow.hash, snapshot: document(of: state, flow)))
        }
        processing.cause = log.sequence
        rendered(rendering)
    }

    func shows(_ snapshot: FlowSnapshot) -> Bool {
        tree?.host.makeSnapshot().root == snapshot.tree.root
    }

    func forgetPast() { past.timeline.forget() }

    func branch() throws(FlowError) {
        guard past.parked != nil else { throw reported(FlowError(.nothingToGiveUp)) }
        leavePast(startingAt: step)
        logMove()
    }

    private func showPast(_ step: Int, _ flow: LuaFlow, from shown: FlowTree) throws(FlowError) {
        guard let checkpoint = past.timeline.checkpoint(before: step) else { return }
        shown.random = flow.randomState
        do throws(FlowError) {
            // The shown tree may be closer to the step than the last kept state.
            let isBehind = past.parked != nil && (checkpoint.step...step).contains(shown.step)
            let rehearsal =
                isBehind && shown.entry == nil
                ? Rehearsal(of: self, in: shown, flow.randomState)
                : try Rehearsal(of: self, from: checkpoint)
            try rehearsal.advance(to: step)
            try rehearsal.takeCodeOfNow()
            if past.parked == nil { past.parked = shown }
            rehearsal.tree.random = rehearsal.random
            show(rehearsal.tree, flow)
        } catch {
            show(shown, flow)
            throw reported(error)
        }
    }

    /// Shows a tree, and ends the previous one if it was only a view of the past.
    private func show(_ next: FlowTree, _ flow: LuaFlow) {
        let before = tree
        tree = next
        workers.gated?.current = next.gate
        if let random = next.random { flow.randomState = random }
        guard let before, before !== past.parked, before !== next else { return }
        endSilently(before)
    }

    /// Discards the steps after the shown one, and lets its workers start.
    func leavePast(startingAt step: Int) {
        guard let tree, let parked = past.parked else { return }
        past.parked = nil
        past.timeline.cut(after: tree.step)
        workers.starts.removeRefused(after: tree.step)
        if let entry = tree.entry { past.timeline.keep(entry, after: nil) }
        tree.entry = nil
        assert(tree.step == timeline.count)
        parked.host.shutDown()
        logRunningWorkers(in: tree, startedAt: step)
        // A later step with the same number is another input, which is not stored yet.
        past.confirmedStep = min(past.confirmedStep, tree.step)
        if options.onInput == nil { releaseWorkers() }
    }

    /// Ends a tree that was only a view of the past, without events.
    func endSilently(_ tree: FlowTree) {
        guard let flow else { return }
        Rehearsal(of: self, in: tree, flow.randomState).end()
    }
}

extension FlowPlayer {
    func input(_ step: Int) -> FlowInput { past.timeline.inputs[step - 1] }

    func countInputs(_ steps: ClosedRange<Int>, parts: Int) -> [[Int]] {
        var sums = [[Int]](
            repeating: [Int](repeating: 0, count: FlowInput.Kind.Name.allCases.count),
            count: parts)
        let kinds = past.timeline.inputs.kinds[(steps.lowerBound - 1)..<steps.upperBound]
        for (index, kind) in kinds.enumerated() {
            sums[index * parts / kinds.count][Int(kind.rawValue)] += 1
        }
        return sums
    }

    func lastStep(since revision: inout Int) -> Int? {
        defer { revision = past.timeline.revision }
        return past.timeline.lastStep(since: revision)
    }
}
