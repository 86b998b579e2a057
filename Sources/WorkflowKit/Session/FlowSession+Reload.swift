import Workflow
public import WorkflowLua

extension FlowSession {
    /// Loads the flow's files again and goes on with the new code: nodes keep their states, and workers that are
    /// declared as before keep running.
    ///
    /// - Throws: The `FlowError` that keeps the new code from loading or rendering; the old code goes on then.
    public func reload() throws(FlowError) {
        guard var new = flow, let old = flow, let tree else {
            throw noted(FlowError(.misuse, "the session is closed"))
        }
        tree.host.settle()
        do throws(FlowError) { try new.reload() } catch { throw noted(error) }
        failure = nil
        cause = nil
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
}
