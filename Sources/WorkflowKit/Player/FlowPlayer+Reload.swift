import Workflow
package import WorkflowLua

extension FlowPlayer {
    /// An input that changes nothing by the code as it is now.
    private struct Refusal {
        let step: Int
        let input: FlowInput
        let error: FlowError
    }

    /// Loads the flow's files again and goes on with the new code; the old one goes on if that fails.
    package func reload(_ policy: ReloadPolicy) throws(FlowError) {
        settle()
        guard var new = flow, let old = flow, let tree else { throw reported(.closed) }
        let random = old.randomState
        do throws(FlowError) {
            try new.reload()
        } catch {
            old.randomState = random
            throw reported(error)
        }
        cause = nil
        switch policy {
        case .keepingState: try reloadKeepingState(in: new, insteadOf: old, tree)
        case .replayingInputs: try reloadReplayingInputs(in: new, insteadOf: old, tree)
        }
    }

    private func reloadKeepingState(
        in new: LuaFlow, insteadOf old: LuaFlow, _ tree: FlowTree
    ) throws(FlowError) {
        flow = new
        timeline.revise(after: 0)
        log.add(.reloaded(hash: new.hash))
        cause = log.sequence
        let outcome = tree.host.update(workflow: new.workflow(props: tree.props))
        guard case .failed(let failed) = outcome else { return }
        flow = old
        try old.takeOver()
        tree.host.update(workflow: old.workflow(props: tree.props))
        throw FlowError(failed)
    }

    private func reloadReplayingInputs(
        in new: LuaFlow, insteadOf old: LuaFlow, _ shown: FlowTree
    ) throws(FlowError) {
        guard options.keepsTimeline, let origin else {
            try old.takeOver()
            throw reported(
                FlowError(
                    .misuse, "this session keeps no timeline, so its inputs cannot be played again",
                    help: "reload it with its state"))
        }
        shown.gate.close()
        // Native states that cannot be kept are made again; only timers then start anew.
        let before = try? makeSnapshot()
        let random = old.randomState
        let step = shown.step
        flow = new
        var made: FlowTree?
        var refusals: [Refusal] = []
        do throws(FlowError) {
            try rehearse { () throws(FlowError) in
                let next = try makeTree(of: new, from: origin)
                made = next
                refusals = replayTimeline(in: next, new)
            }
        } catch {
            flow = old
            try old.takeOver()
            old.randomState = random
            workers?.current = shown.gate
            releaseWorkers()
            throw reported(error)
        }
        guard let next = made else { return }
        timeline.revise(after: 0)
        log.add(.reloaded(hash: new.hash))
        cause = log.sequence
        log(refusals)
        show(next, insteadOf: shown)
        if let before {
            restoreStarts(of: before, in: next)
            workerStarts.resume(since: before.milliseconds)
        }
        if step < timeline.count {
            // What is shown of the past stays the same step.
            if (try? go(to: step)) != nil { return }
            log.add(.moved(step: next.step, of: timeline.count))
        }
        rendered(next.host.rendering.value)
        releaseWorkers()
    }

    /// Plays the timeline's inputs in a tree that stands at its beginning; what comes of them is the timeline from then on.
    private func replayTimeline(in next: FlowTree, _ flow: LuaFlow) -> [Refusal] {
        let inputs = timeline.inputs
        var refusals: [Refusal] = []
        timeline.restart()
        timeline.add(checkpoint(of: next, flow))
        for input in inputs {
            if let error = playBack(input, in: next) {
                refusals.append(Refusal(step: next.step, input: input, error: error))
            }
            timeline.append(input) { next.isWhole ? checkpoint(of: next, flow) : nil }
        }
        return refusals
    }

    private func log(_ refusals: [Refusal]) {
        let limit = 20
        for refusal in refusals.prefix(limit) {
            log.add(
                .log(
                    level: .warning,
                    message: "input \(refusal.step), \(refusal.input.title), changes nothing now: "
                        + refusal.error.message,
                    location: refusal.error.location?.inFolder(folder)))
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
            rehearse { shown.host.shutDown() }
            self.parked = nil
            parked.host.shutDown()
        } else {
            shown.host.shutDown()
        }
        tree = next
        logRunningWorkers(in: next, startedAt: next.step)
    }
}
