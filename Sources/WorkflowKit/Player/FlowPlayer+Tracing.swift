package import PlainValue
import Workflow
package import WorkflowLua

/// A step that was played again, with its lines told.
package struct RetracedStep {
    /// The step.
    package let number: Int
    /// What led to it; `nil` at the beginning.
    package let input: FlowInput?
    /// The rendering before it; `nil` at the beginning.
    package let renderingBefore: Value?
    /// The rendering after it.
    package let rendering: Value
    /// The actions that were applied, in order.
    package let actions: [AppliedAction]
    /// What the root emitted.
    package let outputs: [Value]
    /// Why it failed, if it did.
    package let failure: FlowError?
}

extension FlowPlayer {
    /// Plays steps of the timeline again in a tree of their own, with the lines of the flow's functions told.
    ///
    /// Nobody else is told of anything, and what is shown stays as it is. The code is that of now.
    ///
    /// - Parameters:
    ///   - steps: Their numbers; 0 is the beginning, when the states are made and rendered first.
    ///   - onStep: Called after each of them; `false` ends it.
    /// - Throws: A `FlowError` if the session is closed, keeps no timeline, or has no such step.
    package func retrace(
        _ steps: ClosedRange<Int>, _ trace: FlowTrace, onStep: (RetracedStep) -> Bool
    ) throws(FlowError) {
        guard options.keepsTimeline else {
            throw FlowError(.misuse, "this session keeps no timeline")
        }
        guard steps.lowerBound >= 0, steps.upperBound <= timeline.count else {
            throw noStep(steps.upperBound)
        }
        let first = max(steps.lowerBound - 1, 0)
        guard let checkpoint = steps.lowerBound == 0 ? origin : nearestCheckpoint(before: first)
        else { throw .closed }
        settle()
        guard let flow else { throw .closed }
        try aside(flow) { () throws(FlowError) in
            if steps.lowerBound == 0 { try flow.setTrace(trace) }
            let past: FlowTree
            do throws(FlowError) {
                past = try makeTree(of: flow, from: checkpoint)
            } catch {
                guard steps.lowerBound == 0 else { throw error }
                _ = onStep(
                    RetracedStep(
                        number: 0, input: nil, renderingBefore: nil, rendering: .null, actions: [],
                        outputs: [], failure: error))
                return
            }
            defer { past.host.shutDown() }
            if steps.lowerBound == 0 {
                try flow.setTrace(nil)
                let begun = RetracedStep(
                    number: 0, input: nil, renderingBefore: nil,
                    rendering: past.host.rendering.value, actions: [], outputs: [], failure: nil)
                guard onStep(begun) else { return }
            }
            for index in checkpoint.step..<steps.upperBound {
                let isTraced = index + 1 >= steps.lowerBound
                if isTraced { try flow.setTrace(trace) }
                let before = past.host.rendering.value
                var failure: FlowError?
                let seen = rehearse { failure = playBack(timeline.inputs[index], in: past) }
                guard isTraced else { continue }
                try flow.setTrace(nil)
                let played = RetracedStep(
                    number: index + 1, input: timeline.inputs[index], renderingBefore: before,
                    rendering: past.host.rendering.value, actions: seen.actions,
                    outputs: seen.outputs, failure: failure)
                guard onStep(played) else { return }
            }
        }
    }

    /// Plays an input after a step again, or the beginning, in the same way.
    ///
    /// - Parameter input: One that was applied or failed at that step; `nil`: the beginning, whose states are made and
    ///   rendered first.
    package func retrace(
        _ input: FlowInput?, after step: Int, _ trace: FlowTrace
    ) throws(FlowError) -> RetracedStep {
        guard let input else {
            var begun: RetracedStep?
            try retrace(0...0, trace) { step in
                begun = step
                return true
            }
            guard let begun else { throw .closed }
            return begun
        }
        guard options.keepsTimeline else {
            throw FlowError(.misuse, "this session keeps no timeline")
        }
        settle()
        guard let flow, tree != nil, (0...timeline.count).contains(step),
            let checkpoint = nearestCheckpoint(before: step)
        else { throw noStep(step) }
        var played: RetracedStep?
        try aside(flow) { () throws(FlowError) in
            let past = try makeTree(of: flow, from: checkpoint)
            defer { past.host.shutDown() }
            for earlier in timeline.inputs[checkpoint.step..<step] { playBack(earlier, in: past) }
            if checkpoint.step < step, past.isWhole {
                looks.retraced = (self.checkpoint(of: past, flow), timeline.revision)
            }
            try flow.setTrace(trace)
            let before = past.host.rendering.value
            var failure: FlowError?
            let seen = rehearse { failure = playBack(input, in: past) }
            played = RetracedStep(
                number: step + 1, input: input, renderingBefore: before,
                rendering: past.host.rendering.value, actions: seen.actions,
                outputs: seen.outputs, failure: failure)
        }
        guard let played else { throw .closed }
        return played
    }

    /// The last state that is kept at or before a step: one of the timeline, or that from which a step was played again
    /// last, since who stops in a step plays it several times.
    private func nearestCheckpoint(before step: Int) -> Timeline.Checkpoint? {
        guard let kept = timeline.checkpoint(before: step) else { return nil }
        guard let (last, revision) = looks.retraced, revision == timeline.revision,
            (kept.step...step).contains(last.step)
        else { return kept }
        return last
    }

    /// Does something in a tree of its own, of which nobody is told and after which all is as before.
    func aside(
        _ flow: LuaFlow, _ body: () throws(FlowError) -> Void
    ) throws(FlowError) {
        let (random, gate) = (flow.randomState, workers?.current)
        defer {
            try? flow.setTrace(nil)
            flow.randomState = random
            if let gate { workers?.current = gate }
        }
        try rehearse(body)
    }
}
