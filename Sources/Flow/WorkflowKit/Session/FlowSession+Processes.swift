import LuaVM
import Synchronization
package import WorkflowLua

// A session borrows a script process for itself alone; see ``FlowOptions/processes``.
extension FlowSession: ProcessBorrower {
    private nonisolated var processes: ScriptProcesses? {
        options.isolation == .process ? options.processes : nil
    }

    nonisolated var hasSharedProcesses: Bool { processes != nil }

    /// Waits until scripts may run.
    ///
    /// - Important: Balanced by ``giveBackProcess()``, and must not be nested.
    /// - Throws: A `FlowError` with the code `no_process` if the wait takes too long.
    package nonisolated func borrowProcess(
        of share: String? = ScriptProcesses.share
    ) async throws(FlowError) {
        guard let processes else { return }
        if let share { lastShare.withLock { $0 = share } }
        try await processes.borrow(for: self, of: share)
    }

    /// Ends the use that ``borrowProcess(of:)`` began.
    package nonisolated func giveBackProcess() { processes?.giveBack(by: self) }

    /// Calls a function once scripts may run, however long that takes.
    nonisolated func withProcess(for body: @Sendable () async -> Void) async {
        // Charged to the last user of the session. A wait without a limit does not fail.
        let share = lastShare.withLock { $0 }
        try? await processes?.borrow(for: self, of: share, isPatient: true)
        await body()
        giveBackProcess()
    }

    nonisolated func leaveProcesses() { processes?.leave(ObjectIdentifier(self)) }

    func giveUpProcess() { player.giveUpProcess() }

    /// Renders again if the script process ended after an input had been applied.
    package func renderIfProcessEnded() { player.renderIfProcessEnded() }
}
