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
        isReloading = true
        do throws(FlowError) {
            defer { isReloading = false }
            try new.reload()
            cause = nil
            switch policy {
            case .keepingState: try reloadKeepingState(in: new, insteadOf: old)
            case .replayingInputs: try reloadReplayingInputs(in: new, insteadOf: old, tree)
            }
        } catch {
            old.randomState = random
            var error = error
            error.notes.append("the flow goes on as it was before")
            throw reported(error)
        }
    }

    private func reloadKeepingState(
        in new: LuaFlow, insteadOf old: LuaFlow
    ) throws(FlowError) {
        guard new.name == old.name else {
            try old.takeOver()
            throw FlowError(
                .definition, "the flow is called '\(new.name)' now, and was '\(old.name)'",
                help: "give it its name again, or begin anew")
        }
        timeline.revise(after: 0)
        log.add(.reloaded(hash: new.hash))
        cause = log.sequence
        do throws(FlowError) {
            do throws(FlowError) { try update(to: new) } catch {
                try old.takeOver()
                try? update(to: old)
                guard error.code == .snapshot else { throw error }
                try migrate(to: new, insteadOf: old)
            }
        } catch {
            log.add(.reloaded(hash: old.hash))
            throw error
        }
        // The new code may lead the inputs elsewhere; the last step stays what it is.
        guard options.keepsTimeline, let last = parked ?? tree, last.isWhole else { return }
        var kept = checkpoint(of: last, new)
        kept.isKept = true
        timeline.add(kept)
    }

    /// Renders the trees by other code.
    private func update(to next: LuaFlow) throws(FlowError) {
        flow = next
        for tree in [tree, parked].compactMap(\.self) {
            var outcome = SendOutcome.applied
            let update = {
                outcome = tree.host.update(workflow: next.workflow(props: tree.props))
            }
            if tree === parked { rehearse(update) } else { update() }
            if case .failed(let failed) = outcome { throw FlowError(failed) }
        }
    }

    /// Goes on with other code from a snapshot, as states have another version there.
    private func migrate(to new: LuaFlow, insteadOf old: LuaFlow) throws(FlowError) {
        let step = step
        if isInPast { try go(to: timeline.count) }
        guard let shown = tree else { return }
        let before = try makeSnapshot()
        shown.gate.close()
        do throws(FlowError) {
            flow = new
            try new.takeOver()
            var made: FlowTree?
            try rehearse { () throws(FlowError) in
                made = try makeTree(of: new, from: checkpoint(of: shown, old))
            }
            guard let next = made else { return }
            if let lost = next.host.restoration?.lost.first {
                rehearse { next.host.shutDown() }
                throw FlowError(.snapshot, "\(lost.path) cannot go on: \(lost.reason)")
            }
            goOn(in: next, insteadOf: shown, before, showing: step)
        } catch {
            try goBack(to: old, in: shown)
            throw error
        }
    }

    private func reloadReplayingInputs(
        in new: LuaFlow, insteadOf old: LuaFlow, _ shown: FlowTree
    ) throws(FlowError) {
        guard options.keepsTimeline, let origin else {
            try old.takeOver()
            throw FlowError(
                .misuse, "this session keeps no timeline, so its inputs cannot be played again",
                help: "reload it with its state")
        }
        shown.gate.close()
        // Native states that cannot be kept are made again; only timers then start anew.
        let before = try? makeSnapshot()
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
            try goBack(to: old, in: shown)
            throw error
        }
        guard let next = made else { return }
        timeline.revise(after: 0)
        log.add(.reloaded(hash: new.hash))
        cause = log.sequence
        log(refusals)
        goOn(in: next, insteadOf: shown, before, showing: step)
    }

    /// Takes a tree of new code for the one so far.
    ///
    /// - Parameter before: When workers were started that go on.
    private func goOn(
        in next: FlowTree, insteadOf shown: FlowTree, _ before: FlowSnapshot?, showing step: Int
    ) {
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

    private func goBack(to old: LuaFlow, in shown: FlowTree) throws(FlowError) {
        flow = old
        try old.takeOver()
        workers?.current = shown.gate
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
