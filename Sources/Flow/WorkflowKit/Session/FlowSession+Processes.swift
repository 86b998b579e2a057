import LuaVM
import Synchronization
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
    /// - Parameter share: The share for which they do.
    /// - Throws: A `FlowError` with the code `no_process` if that takes too long.
    package nonisolated func borrowProcess(
        of share: String? = ScriptProcesses.share
    ) async throws(FlowError) {
        guard let processes else { return }
        if let share { lastShare.withLock { $0 = share } }
        try await processes.borrow(for: self, of: share)
    }

    /// Says that scripts need not run for a while.
    package nonisolated func giveBackProcess() { processes?.giveBack(by: self) }

    /// Waits until scripts may run for as long as it takes, and does something.
    nonisolated func withProcess(for body: @Sendable () async -> Void) async {
        // What a worker says is the work of whoever used the session last.
        let share = lastShare.withLock { $0 }
        try? await processes?.borrow(for: self, of: share, isPatient: true)
        await body()
        giveBackProcess()
    }

    /// Says that the session has no process and needs none any more.
    nonisolated func leaveProcesses() { processes?.leave(ObjectIdentifier(self)) }

    func giveUpProcess() { player.giveUpProcess() }

    /// Shows what there is, also if the process of the scripts ended after an input had been applied.
    package func renderIfProcessEnded() { player.renderIfProcessEnded() }
}
