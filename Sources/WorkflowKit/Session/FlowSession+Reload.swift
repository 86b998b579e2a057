import Workflow
public import WorkflowLua

extension FlowSession {
    /// Loads the flow's files again and goes on with the new code.
    ///
    /// - Parameter policy: What becomes of the state. Playing the inputs again takes a session with a timeline, and ends at
    ///   its last step.
    /// - Throws: The `FlowError` that keeps the new code from loading or rendering; the old code goes on then, as if
    ///   nothing had been asked for.
    public func reload(_ policy: ReloadPolicy = .keepingState) throws(FlowError) {
        settle()
        guard var new = flow, let old = flow, let tree else {
            throw noted(FlowError(.misuse, "the session is closed"))
        }
        let random = old.randomState
        do throws(FlowError) {
            try new.reload()
        } catch {
            old.randomState = random
            throw noted(error)
        }
        failure = nil
        cause = nil
        switch policy {
        case .keepingState: try keepState(in: new, insteadOf: old, tree)
        case .replayingInputs: try replayInputs(in: new, insteadOf: old, tree)
        }
    }

    private func keepState(
        in new: LuaFlow, insteadOf old: LuaFlow, _ tree: FlowTree
    ) throws(FlowError) {
        flow = new
        log.add(.reloaded(hash: new.hash))
        cause = log.sequence
        tree.host.update(workflow: new.workflow(props: tree.props))
        guard let failure else { return }
        flow = old
        try old.takeOver()
        self.failure = nil
        tree.host.update(workflow: old.workflow(props: tree.props))
        throw failure
    }

    private func replayInputs(
        in new: LuaFlow, insteadOf old: LuaFlow, _ shown: FlowTree
    ) throws(FlowError) {
        guard options.keepsTimeline, let origin else {
            try old.takeOver()
            throw noted(
                FlowError(
                    .misuse, "this session keeps no timeline, so its inputs cannot be played again",
                    help: "reload it with its state"))
        }
        shown.gate.close()
        // Native states that cannot be kept are made again; only timers then start anew.
        let before = try? makeSnapshot()
        let random = old.randomState
        flow = new
        new.randomState = origin.random
        workers.resume(from: before.map { resumptions(of: $0) } ?? [:])
        isPlayingBack = true
        let next: FlowTree
        do throws(FlowError) {
            next = try makeTree(of: new, props: origin.props, restoring: origin.tree, step: 0)
        } catch {
            isPlayingBack = false
            flow = old
            try old.takeOver()
            old.randomState = random
            workers.resume(from: [:])
            workers.current = shown.gate
            releaseWorkers()
            throw noted(error)
        }
        next.retire(origin.endedWorkers)
        let refusals = replayTimeline(in: next, new)
        isPlayingBack = false
        log.inputTime = nil
        failure = nil
        workers.resume(from: [:])
        log.add(.reloaded(hash: new.hash))
        cause = log.sequence
        note(refusals)
        show(next, insteadOf: shown)
        if let before { noteStarts(of: before) }
        noteRendering(next.host.rendering.value)
        releaseWorkers()
    }

    /// Plays the timeline's inputs in a tree that stands at its beginning, and keeps what comes of them instead.
    private func replayTimeline(
        in next: FlowTree, _ flow: LuaFlow
    ) -> [(step: Int, input: FlowInput, error: FlowError)] {
        let inputs = timeline.inputs
        var refusals: [(step: Int, input: FlowInput, error: FlowError)] = []
        timeline = Timeline()
        timeline.add(checkpoint(of: next, flow))
        for input in inputs {
            if let error = playBack(input, in: next) { refusals.append((next.step, input, error)) }
            timeline.append(input) { next.isWhole ? checkpoint(of: next, flow) : nil }
        }
        return refusals
    }

    private func note(_ refusals: [(step: Int, input: FlowInput, error: FlowError)]) {
        let limit = 20
        for (step, input, error) in refusals.prefix(limit) {
            log.add(
                .log(
                    level: .warning,
                    message: "input \(step), \(input.title), changes nothing now: \(error.message)",
                    location: error.location))
        }
        if refusals.count > limit {
            log.add(
                .log(
                    level: .warning,
                    message: "\(refusals.count - limit) more inputs change nothing now",
                    location: nil))
        }
    }

    /// Ends the trees so far and tells of the workers of the new one.
    private func show(_ next: FlowTree, insteadOf shown: FlowTree) {
        if let parked {
            isPlayingBack = true
            shown.host.shutDown()
            isPlayingBack = false
            self.parked = nil
            parked.host.shutDown()
        } else {
            shown.host.shutDown()
        }
        tree = next
        noteWorkersStart(in: next)
    }
}
