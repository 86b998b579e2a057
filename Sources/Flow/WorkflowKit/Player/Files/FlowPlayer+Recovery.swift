import LuaVM
import PlainValue
import Workflow
import WorkflowLua

// Recovery after the end of a script process: the states of all nodes live on in this process.
extension FlowPlayer {
    /// The progress of a tree's renewal for a new script process.
    struct Recovery {
        /// The last rendering, while the tree gets the definitions of a new process.
        var rendering: Value?
        /// True if a process could not be started for the next input.
        var hasFailed = false
        /// True if the process was given up, and did not die.
        var hasGivenUp = false
        /// True if the rendering is older than the states, because rendering them ended a process.
        var isBehind = false
    }

    /// Ends the script process until the scripts are needed again.
    func giveUpProcess() {
        guard options.isolation == .process, let flow, !flow.isGone else { return }
        flow.abandonProcess()
        scripts.recovery.hasGivenUp = true
    }

    /// Renders again if the process ended during a render, which need not be the scripts' fault.
    func renderIfProcessEnded() {
        guard options.isolation == .process, let flow, flow.isGone, !scripts.recovery.hasGivenUp
        else { return }
        settle()
        if scripts.recovery.isBehind {
            // The new process may have been ended from outside as well. One more attempt is enough,
            // as the scripts may be the cause. No generation is the maximum: the tree is renewed.
            tree?.generation = .max
            settle()
        }
        // The next input starts a process in any case.
        scripts.recovery.hasFailed = false
    }

    /// Processes queued news, and makes sure that the scripts have a process.
    func settle() {
        guard let tree else { return }
        tree.host.settle()
        guard options.isolation == .process else { return }
        tree.host.prepare()
        scripts.recovery.hasFailed = flow?.isGone ?? false
    }

    /// Makes sure that the scripts have a process. If none can be started, it returns false, and
    /// the call that needs one reports why.
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

    /// Makes sure that a tree has the definitions of the current script process.
    func revive(_ tree: FlowTree) {
        guard scripts.recovery.rendering == nil else { return }
        // One attempt for each input is enough.
        if scripts.recovery.hasFailed {
            scripts.recovery.hasFailed = false
            return
        }
        guard reviveFlow(), let flow, tree.generation != flow.generation else { return }
        scripts.recovery.rendering = tree.host.rendering.value
        scripts.recovery.isBehind = false
        defer { scripts.recovery.rendering = nil }
        // The renewal is not a step, so its renders must not draw random numbers.
        let random = flow.randomState
        defer { flow.randomState = random }
        tree.host.renew(workflow: flow.workflow(props: tree.props), renders: true)
        tree.generation = flow.generation
        guard flow.isGone, reviveFlow(), let again = self.flow else { return }
        // Rendering ended the new process. An action may lead to a state that can be rendered, so
        // the tree gets its definitions without a render.
        let workflow = again.workflow(props: tree.props)
        tree.host.renew(workflow: workflow, renders: false)
        again.prepareRoot(of: tree.host, with: workflow)
        tree.generation = again.generation
        scripts.recovery.isBehind = true
    }
}
