import LuaVM
import PlainValue
import Workflow
import WorkflowLua

// Going on when the process of the scripts has ended: the states of all nodes are here, and the files are loaded again
// as they were.
extension FlowSession {
    /// Takes on what waits, and sees to it that the scripts have a process.
    func settle() {
        guard let tree else { return }
        tree.host.settle()
        if options.isolation == .process { tree.host.prepare() }
    }

    /// Sees to it that the scripts have a process; if they cannot have one, whatever needs it tells why.
    func reviveFlow() {
        guard options.isolation == .process, var flow, flow.isGone else { return }
        do throws(FlowError) {
            try flow.recover()
            self.flow = flow
        } catch {}
    }

    /// Sees to it that a tree has the definitions of the process that the scripts have now.
    func revive(_ tree: FlowTree) {
        guard revived == nil else { return }
        reviveFlow()
        guard let flow, !flow.isGone, tree.generation != flow.generation else { return }
        revived = tree.host.rendering.value
        defer { revived = nil }
        let random = flow.randomState
        tree.host.renew(workflow: flow.workflow(props: tree.props), renders: true)
        tree.generation = flow.generation
        reviveFlow()
        guard let again = self.flow, again.generation != tree.generation else {
            flow.randomState = random
            return
        }
        // Rendering ends its process; an action may bring the root to a state that does not.
        let workflow = again.workflow(props: tree.props)
        tree.host.renew(workflow: workflow, renders: false)
        again.prepareRoot(of: tree.host, with: workflow)
        tree.generation = again.generation
        again.randomState = random
    }
}
