package import LuaVM
import Synchronization
import WorkerKit

/// Interrupts a flow from any thread; see ``FlowConfiguration/interrupt``.
public final class FlowInterrupt: Sendable {
    private let vm = Mutex<LuaVM.Interrupt?>(nil)
    private let wasUsed = Atomic(false)
    /// Where calls note their node; `nil` if nobody asks.
    let notedPlace: CallPlace?

    /// Makes an interrupt for one flow. Pass it in the configuration when the flow is loaded.
    public init() { notedPlace = nil }

    /// - Parameter notesPlace: Whether calls note their ``place``, which costs each some
    ///   nanoseconds.
    package init(notesPlace: Bool) { notedPlace = notesPlace ? CallPlace() : nil }

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

    /// The running call into the flow; `nil` if there is none.
    package var running: LuaVM.RunningCall? { vm.withLock { $0 }?.running }

    /// The name of the flow and the path of the node whose function runs, `nil` if none does; only
    /// if they are noted.
    package var place: (flow: String, node: String?)? { notedPlace?.now }

    func watch(_ interrupt: LuaVM.Interrupt) { vm.withLock { $0 = interrupt } }
}

/// The flow and the node whose function runs, for other threads.
final class CallPlace: Sendable {
    private let place = Mutex((flow: "", node: String?.none))

    var now: (flow: String, node: String?) { place.withLock { $0 } }

    /// Notes the name of the flow.
    func load(_ flow: String) { place.withLock { $0.flow = flow } }

    /// Notes the node of the innermost call; `nil` if none runs any more.
    func enter(_ node: ScriptedNode?) {
        // A call that does not end must not block the global executor.
        assert(WorkerThreads.isCurrentThread)
        let entered = node?.place.text
        place.withLock { $0.node = entered }
    }
}
