import LuaVM
import Synchronization

/// Interrupts a flow from any thread; see ``FlowConfiguration/interrupt``.
public final class FlowInterrupt: Sendable {
    private let vm = Mutex<LuaVM.Interrupt?>(nil)
    private let wasUsed = Atomic(false)

    /// Makes an interrupt for one flow. Pass it in the configuration when the flow is loaded.
    public init() {}

    /// Interrupts the current call into the flow, also while its file is being loaded. The call ends with a
    /// ``FlowError`` of the code `interrupted`, which the flow cannot catch.
    ///
    /// - Returns: Whether there was such a call.
    @discardableResult
    public func stop() -> Bool {
        wasUsed.store(true, ordering: .relaxed)
        return vm.withLock { $0 }?.stop() ?? false
    }

    /// Throws an error of the code `interrupted` once ``stop()`` was called, for what makes many calls.
    package func check() throws(FlowError) {
        guard wasUsed.load(ordering: .relaxed) else { return }
        throw FlowError(.interrupted, "it was interrupted")
    }

    func watch(_ interrupt: LuaVM.Interrupt) { vm.withLock { $0 = interrupt } }
}
