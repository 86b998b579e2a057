import LuaVM
package import WorkflowLua

// A session whose scripts have a process that it shares with no other one, but has only when it needs it: see
// ``FlowOptions/processes``.
extension FlowSession: ProcessBorrower {
    /// What bounds how many sessions have a process; `nil` if nothing does.
    private nonisolated var processes: ScriptProcesses? {
        options.isolation == .process ? options.processes : nil
    }

    nonisolated var hasSharedProcesses: Bool { processes != nil }

    /// Waits until scripts may run; to be ended by ``giveBackProcess()``, and not to be nested.
    ///
    /// - Throws: A `FlowError` with the code `no_process` if that takes too long.
    package nonisolated func borrowProcess() async throws(FlowError) {
        try await processes?.borrow(for: self)
    }

    /// Says that scripts need not run for a while.
    package nonisolated func giveBackProcess() { processes?.giveBack(by: self) }

    /// Waits until scripts may run for as long as it takes, and does something.
    nonisolated func withProcess(for body: @Sendable () async -> Void) async {
        try? await processes?.borrow(for: self, isPatient: true)
        await body()
        giveBackProcess()
    }

    /// Says that the session has no process and needs none any more.
    nonisolated func leaveProcesses() { processes?.leave(ObjectIdentifier(self)) }

    package func giveUpProcess() { player.giveUpProcess() }

    /// Shows what there is, also if the process of the scripts ended after an input had been applied.
    package func renderIfProcessEnded() { player.renderIfProcessEnded() }
}
