import LuaVM
package import Workflow

// Flows whose scripts have a process of their own; see `LuaVM.Options.Isolation`.
extension LuaFlow {
    /// True if the script process has ended: every call into it fails until ``recover()``.
    public var isGone: Bool { runtime.vm.isGone }

    /// Starts a new process and loads the flow's files into it as they were before.
    ///
    /// ```swift
    /// if flow.isGone {
    ///     try flow.recover()
    ///     host.update(workflow: flow.workflow(props: ["title": "Today"]))
    /// }
    /// ```
    ///
    /// - Important: Workflows made before are unusable: update the host with a new one. Random
    ///   numbers continue, but variables of modules have their values after loading.
    /// - Throws: A ``FlowError`` if the files cannot be loaded; there is then still no process.
    public mutating func recover() throws(FlowError) {
        guard let (module, modules) = loadedFiles else { throw FlowError(.definedByScript) }
        let random = randomState
        defer { randomState = random }
        try runtime.restart()
        // Files draw the same random numbers as when they were first loaded.
        randomState = firstRandom
        do throws(FlowError) {
            take(try runtime.load(module, modules: modules))
        } catch {
            // A process without the definitions is of no use.
            runtime.vm.abandon("the flow could not be loaded again: \(error.message)")
            throw error
        }
    }

    /// Ends the script process, so that ``isGone`` is true.
    package func abandonProcess() { runtime.vm.abandon("it was given up for another one") }

    /// The number of the script process that the flow was loaded into; 0 without one.
    package var generation: UInt32 { runtime.generation }

    package var processID: Int32? { runtime.vm.processID }

    #if DEBUG
        /// Makes the script process do something that it may not do; for tests.
        package func tryForbidden(_ what: UInt32) throws(FlowError) {
            try lua { () throws(LuaError) in try runtime.vm.tryForbidden(what) }
        }
    #endif

    /// Gives the root of a host the definition of a workflow before the root is rendered with it.
    package func prepareRoot(of host: WorkflowHost<LuaWorkflow>, with workflow: LuaWorkflow) {
        host.rendering.node.use(workflow)
    }
}
