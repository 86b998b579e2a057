import LuaVM
import PlainValue
import Workflow
import WorkflowLua

// Going on when the process of the scripts has ended: the states of all nodes are here, and the files are loaded again
// as they were.
extension FlowSession {
    /// The id of the process that runs the flow's scripts; `nil` if there is none.
    package var processID: Int32? { flow?.processID }

    /// Takes on what waits, and sees to it that the scripts have a process.
    func settle() {
        guard let tree else { return }
        tree.host.settle()
        guard options.isolation == .process else { return }
        tree.host.prepare()
        couldNotRevive = flow?.isGone ?? false
    }

    /// Sees to it that the scripts have a process.
    ///
    /// - Returns: Whether they have; if not, whatever needs it tells why.
    @discardableResult
    func reviveFlow() -> Bool {
        guard options.isolation == .process, var flow, flow.isGone else { return true }
        do throws(FlowError) {
            try flow.recover()
            self.flow = flow
            return true
        } catch {
            return false
        }
    }

    /// Sees to it that a tree has the definitions of the process that the scripts have now.
    func revive(_ tree: FlowTree) {
        guard revived == nil else { return }
        // Once for each input is enough.
        if couldNotRevive {
            couldNotRevive = false
            return
        }
        guard reviveFlow(), let flow, tree.generation != flow.generation else { return }
        revived = tree.host.rendering.value
        defer { revived = nil }
        let random = flow.randomState
        defer { flow.randomState = random }
        tree.host.renew(workflow: flow.workflow(props: tree.props), renders: true)
        tree.generation = flow.generation
        guard flow.isGone, reviveFlow(), let again = self.flow else { return }
        // Rendering ends its process; an action may bring the root to a state that does not.
        let workflow = again.workflow(props: tree.props)
        tree.host.renew(workflow: workflow, renders: false)
        again.prepareRoot(of: tree.host, with: workflow)
        tree.generation = again.generation
    }
}
