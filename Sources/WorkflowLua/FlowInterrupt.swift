import LuaVM
import Synchronization

/// Stops what a flow is doing, from any thread; see ``FlowConfiguration/interrupt``.
public final class FlowInterrupt: Sendable {
    private let vm = Mutex<LuaVM.Interrupt?>(nil)
    private let wasUsed = Atomic(false)

    /// An interrupt for one flow, to be given to its configuration before it is loaded.
    public init() {}

    /// Stops the call into the flow that is under way, be it of the file that is being loaded: it ends in a ``FlowError``
    /// of the code `interrupted`, which nothing in the flow can catch.
    ///
    /// - Returns: Whether such a call was under way.
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
