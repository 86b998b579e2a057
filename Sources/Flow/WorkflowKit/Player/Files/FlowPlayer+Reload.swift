import Workflow
import WorkflowLua

extension FlowPlayer {
    private struct Refusal {
        let step: Int
        let input: FlowInput
        let error: FlowError
    }

    /// Reloads the flow's files and continues with the new code; if that fails, with the old.
    func reload(_ policy: ReloadPolicy) throws(FlowError) {
        settle()
        guard var new = flow, let old = flow, let tree else { throw reported(.closed) }
        let random = old.randomState
        scripts.isReloading = true
        do throws(FlowError) {
            defer { scripts.isReloading = false }
            try new.reload()
            scripts.noted = []
            processing.cause = nil
            switch policy {
            case .keepingState: try reloadKeepingState(in: new, insteadOf: old)
            case .replayingInputs: try reloadReplayingInputs(in: new, insteadOf: old, tree)
            }
        } catch {
            // Loading the new files may have drawn random numbers.
            old.randomState = random
            var error = error
            error.notes.append("the flow goes on as it was before")
            throw reported(error)
        }
        tellMistakes()
        // The new code may accept outputs that the old refused; if not, the error is in the log.
        if past.parked == nil { _ = try? retry() }
    }

    private func reloadKeepingState(in new: LuaFlow, insteadOf old: LuaFlow) throws(FlowError) {
        guard new.name == old.name else {
            try old.takeOver()
            throw FlowError(.renamed, new.name, old.name)
        }
        // The last step gets a new state, so looks at it must not be reused.
        past.timeline.revise(after: past.timeline.count - 1)
        log.hold()
        defer {
            log.release(
                keeping: tree.flatMap { document(of: checkpoint(of: $0, new), flow ?? new) })
        }
        log.add(.reloaded(hash: new.hash))
        processing.cause = log.sequence
        do throws(FlowError) {
            do throws(FlowError) {
                try update(to: new)
                keepState(after: old)
            } catch {
                try old.takeOver()
                // Where the old code fails too, its last rendering stays.
                try? update(to: old)
                // States of another version can only be restored, which migrates them.
                guard error.code == .snapshot else { throw error }
                try migrate(to: new, insteadOf: old)
            }
        } catch {
            log.add(.reloaded(hash: old.hash))
            throw error
        }
    }

    /// Keeps the state of the last step, from which the new code continues.
    private func keepState(after old: LuaFlow) {
        guard options.keepsTimeline, let flow, let last = past.parked ?? tree else { return }
        past.timeline.keep(checkpoint(of: last, flow), after: old)
        // An earlier step that is shown continues by the new code as well.
        if isInPast, let tree { tree.entry = checkpoint(of: tree, flow) }
    }

    /// Renders the trees with other code.
    private func update(to next: LuaFlow) throws(FlowError) {
        flow = next
        if let tree,
            case .failed(let failed) = tree.host.update(workflow: next.workflow(props: tree.props))
        {
            throw FlowError(failed)
        }
        guard let parked = past.parked, let random = parked.random else { return }
        try Rehearsal(of: self, in: parked, random).update(next.workflow(props: parked.props))
    }

    /// Continues with other code from a snapshot, which migrates states of an older version.
    private func migrate(to new: LuaFlow, insteadOf old: LuaFlow) throws(FlowError) {
        guard let shown = tree else { return }
        let (step, last) = (step, past.parked ?? shown)
        let before = try makeSnapshot(of: last)
        shown.gate.close()
        do throws(FlowError) {
            flow = new
            try new.takeOver()
            let next = try Rehearsal(of: self, from: checkpoint(of: last, old), byCodeOfNow: true)
            try next.requireWhole()
            past.timeline.keep(next.checkpoint, after: old)
            goOn(in: next, insteadOf: shown, before, showing: step)
        } catch {
            try goBack(to: old, in: shown)
            throw error
        }
    }

    private func reloadReplayingInputs(
        in new: LuaFlow, insteadOf old: LuaFlow, _ shown: FlowTree
    ) throws(FlowError) {
        guard options.keepsTimeline, let origin = past.origin else {
            try old.takeOver()
            throw FlowError(.noReplay)
        }
        shown.gate.close()
        // Where a native state cannot be saved, timers start anew; all else is replayed.
        let before = try? makeSnapshot()
        let step = shown.step
        flow = new
        let next: Rehearsal
        let refusals: [Refusal]
        do throws(FlowError) {
            next = try Rehearsal(of: self, from: origin, byCodeOfNow: true)
            refusals = try replayTimeline(in: next)
        } catch {
            try goBack(to: old, in: shown)
            throw error
        }
        past.timeline.revise(after: 0)
        log.add(.reloaded(hash: new.hash))
        processing.cause = log.sequence
        log(refusals)
        goOn(in: next, insteadOf: shown, before, showing: step)
    }

    /// Replaces the tree by one of new code. The old snapshot has the start times of its workers.
    private func goOn(
        in rehearsal: Rehearsal, insteadOf shown: FlowTree, _ before: FlowSnapshot?,
        showing step: Int
    ) {
        let next = rehearsal.tree
        show(next, insteadOf: shown)
        workers.gated?.current = next.gate
        flow?.randomState = rehearsal.random
        if let before {
            restoreStarts(of: before, in: next)
            workers.starts.resume(since: before.milliseconds)
        }
        if step < past.timeline.count {
            // A shown step of the past stays shown.
            if (try? go(to: step)) != nil { return }
            logMove()
        }
        rendered(next.host.rendering.value)
        releaseWorkers()
    }

    private func goBack(to old: LuaFlow, in shown: FlowTree) throws(FlowError) {
        flow = old
        try old.takeOver()
        workers.gated?.current = shown.gate
        releaseWorkers()
    }

    /// Replays the timeline's inputs from its beginning; the results become the timeline.
    private func replayTimeline(in next: Rehearsal) throws(FlowError) -> [Refusal] {
        let inputs = past.timeline.inputs
        var refusals: [Refusal] = []
        past.timeline.restart()
        past.timeline.add(next.checkpoint)
        for input in inputs {
            let start = FlowOptions.coarseClock()
            if let error = try next.play(input).failure {
                refusals.append(Refusal(step: next.step, input: input, error: error))
            }
            let isDue = past.timeline.append(input, time: FlowOptions.coarseClock() - start)
            if isDue, next.tree.isWhole { past.timeline.add(next.checkpoint) }
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
                    location: refusal.error.location?.inFolder(scripts.folder)))
        }
        if refusals.count > limit {
            log.add(
                .log(
                    level: .warning,
                    message: "\(refusals.count - limit) more inputs change nothing now",
                    location: nil))
        }
    }

    /// Ends the old trees, shows a new one, and logs its workers.
    private func show(_ next: FlowTree, insteadOf shown: FlowTree) {
        if let parked = past.parked {
            // The workers that run are those of the last step; only their end is an event.
            endSilently(shown)
            past.parked = nil
            parked.host.shutDown()
        } else {
            shown.host.shutDown()
        }
        tree = next
        logRunningWorkers(in: next, startedAt: next.step)
    }
}
