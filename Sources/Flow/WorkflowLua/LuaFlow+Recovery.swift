import LuaVM
package import Workflow

// A flow whose scripts have a process of their own: see `LuaVM.Configuration.Isolation`.
extension LuaFlow {
    /// Whether the process of the scripts has ended. Every call into the scripts then fails until ``recover()``.
    public var isGone: Bool { runtime.vm.isGone }

    /// Starts a new process and loads the flow's files into it as they were before.
    ///
    /// Random numbers continue. Variables of modules have their values after loading. Workflows made before are
    /// unusable: update the host with a new one.
    ///
    /// - Throws: A ``FlowError`` if the files cannot be loaded; there is then still no process.
    public mutating func recover() throws(FlowError) {
        guard let (module, modules) = loadedFiles else {
            throw FlowError(.misuse, "a flow that a script defines is not loaded by itself")
        }
        let random = randomState
        defer { randomState = random }
        try runtime.restart()
        // What is drawn while a file is loaded is as it was then.
        randomState = firstRandom
        do throws(FlowError) {
            take(try runtime.load(module, modules: modules))
        } catch {
            // What is there without its definitions could do nothing.
            runtime.vm.abandon("the flow could not be loaded again: \(error.message)")
            throw error
        }
    }

    /// Ends the process of the scripts, so that ``isGone`` is true.
    package func abandonProcess() { runtime.vm.abandon("it was given up for another one") }

    /// The number of the process that the flow was loaded in; 0 without one.
    package var generation: UInt32 { runtime.generation }

    /// The id of the process of the scripts; `nil` if there is none.
    package var processID: Int32? { runtime.vm.processID }

    /// Has the process of the scripts do something that it may not; for tests.
    package func tryForbidden(_ what: UInt32) throws(FlowError) {
        try lua { () throws(LuaError) in try runtime.vm.tryForbidden(what) }
    }

    /// Has the root of a host take the definition of a workflow before it is rendered with it.
    package func prepareRoot(of host: WorkflowHost<LuaWorkflow>, with workflow: LuaWorkflow) {
        host.rendering.node.use(workflow)
    }
}
