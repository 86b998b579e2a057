import Workflow
import WorkflowLua

extension FlowSession {
    /// Says that the inputs up to a step are kept, so that workers go on if none came since; see
    /// ``FlowOptions/onInput``.
    ///
    /// - Parameter step: The number of the last step that is kept; 0 says that the session itself is.
    public func confirm(through step: Int) {
        confirmedStep = max(confirmedStep, step)
        releaseWorkers()
    }

    /// Holds the workers until an input is kept.
    func holdWorkers() {
        if options.onInput != nil { tree?.gate.close() }
    }

    /// Lets the workers go on, unless an earlier step is shown or an input is not kept yet.
    func releaseWorkers() {
        guard let tree, parked == nil else { return }
        guard options.onInput == nil || underWay.isEmpty && tree.step <= confirmedStep else {
            return
        }
        tree.gate.open()
    }

    /// Plays the inputs of an earlier life of the session, at the times that they came at.
    func replay(
        _ inputs: [FlowInput], in tree: FlowTree, isLenient: Bool
    ) throws(FlowError) {
        for (index, input) in inputs.enumerated() {
            log.inputTime = input.milliseconds
            var refusal: FlowError?
            do throws(FlowError) { try play(input.kind) } catch { refusal = error }
            log.inputTime = nil
            failure = nil
            // What was applied stays so, even if it cannot be rendered, and new props may be the old ones.
            guard tree.step == index, let flow else { continue }
            if let refusal, !isLenient {
                tree.host.shutDown()
                self.tree = nil
                var error = FlowError(
                    .snapshot, "input \(index + 1), \(input.title), cannot be played again",
                    help: "the flow may have changed since: go on with what fits by isLenient")
                error.notes = [refusal.description]
                throw error
            }
            keep(input, tree, flow)
        }
        log.isMuted = false
        noteWorkersStart(in: tree)
    }
}
