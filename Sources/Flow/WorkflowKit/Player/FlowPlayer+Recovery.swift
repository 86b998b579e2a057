import LuaVM
import PlainValue
import Workflow
import WorkflowLua

// Going on when the process of the scripts has ended: the states of all nodes are here, and the files are loaded again
// as they were.
extension FlowPlayer {
    /// How a tree is made ready to go on in a new process of the scripts.
    struct Recovery {
        /// The rendering before the process ended, while the tree gets the definitions of the new one.
        var rendering: Value?
        /// Whether the scripts could not be given a process for the input that comes next.
        var hasFailed = false
        /// Whether the scripts have no process because it was given up.
        var hasGivenUp = false
        /// Whether what is shown is older than the states, as rendering them ended a process.
        var isBehind = false
    }

    /// Ends the process of the scripts until they are needed again.
    func giveUpProcess() {
        guard options.isolation == .process, let flow, !flow.isGone else { return }
        flow.abandonProcess()
        scripts.recovery.hasGivenUp = true
    }

    /// Renders again if the process ended while what came was rendered, which need not be the scripts' fault.
    func renderIfProcessEnded() {
        guard options.isolation == .process, let flow, flow.isGone, !scripts.recovery.hasGivenUp
        else {
            return
        }
        settle()
        if scripts.recovery.isBehind {
            // The new process may have been ended from outside, too. Once more is enough, as it may have been the scripts.
            tree?.generation = .max
            settle()
        }
        // The next input tries again in any case.
        scripts.recovery.hasFailed = false
    }

    /// Deals with what waits, and sees to it that the scripts have a process.
    func settle() {
        guard let tree else { return }
        tree.host.settle()
        guard options.isolation == .process else { return }
        tree.host.prepare()
        scripts.recovery.hasFailed = flow?.isGone ?? false
    }

    /// Sees to it that the scripts have a process.
    ///
    /// - Returns: Whether they have; if not, whatever needs it tells why.
    @discardableResult
    func reviveFlow() -> Bool {
        guard options.isolation == .process, var flow, flow.isGone else { return true }
        if !scripts.recovery.hasGivenUp { options.processes?.addDeath() }
        scripts.recovery.hasGivenUp = false
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
        guard scripts.recovery.rendering == nil else { return }
        // Once for each input is enough.
        if scripts.recovery.hasFailed {
            scripts.recovery.hasFailed = false
            return
        }
        guard reviveFlow(), let flow, tree.generation != flow.generation else { return }
        scripts.recovery.rendering = tree.host.rendering.value
        scripts.recovery.isBehind = false
        defer { scripts.recovery.rendering = nil }
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
        scripts.recovery.isBehind = true
    }
}
