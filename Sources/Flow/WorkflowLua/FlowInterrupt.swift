package import LuaVM
import Synchronization
import WorkerKit
package import Workflow

/// Interrupts a flow from any thread; see ``LuaFlow/Options/interrupt``.
public final class FlowInterrupt: Sendable {
    private let vm = Mutex<LuaVM.Interrupt?>(nil)
    private let wasUsed = Atomic(false)
    /// The place in which calls note their node; `nil` if they do not.
    let notedPlace: CallPlace?

    /// Makes an interrupt for one flow. Pass it in the options when the flow is loaded.
    ///
    /// ```swift
    /// let interrupt = FlowInterrupt()
    /// let options = LuaFlow.Options(interrupt: interrupt)
    /// ```
    public init() { notedPlace = nil }

    /// - Parameter notesPlace: Makes calls note their ``place``, which takes some nanoseconds each.
    package init(notesPlace: Bool) { notedPlace = notesPlace ? CallPlace() : nil }

    /// Interrupts the current call into the flow, also while its file is being loaded. The call
    /// ends with a ``FlowError`` of the code `interrupted`, which the flow cannot catch.
    ///
    /// ```swift
    /// Thread.detachNewThread { while !interrupt.stop() { sched_yield() } }
    /// ```
    ///
    /// - Returns: True if a call was interrupted.
    @discardableResult
    public func stop() -> Bool {
        wasUsed.store(true, ordering: .relaxed)
        return vm.withLock { $0 }?.stop() ?? false
    }

    /// Throws an error with the code `interrupted` after ``stop()``, for loops of many calls.
    package func check() throws(FlowError) {
        guard wasUsed.load(ordering: .relaxed) else { return }
        throw FlowError(.wasInterrupted)
    }

    package var running: LuaVM.RunningCall? { vm.withLock { $0 }?.running }

    /// The flow and the path of the node whose function runs; `nil` if calls do not note them.
    package var place: (flow: String, node: NodePath?)? { notedPlace?.now }

    func watch(_ interrupt: LuaVM.Interrupt) { vm.withLock { $0 = interrupt } }
}

/// The flow and the node whose function is running, for other threads.
final class CallPlace: Sendable {
    private let place = Mutex((flow: "", node: NodePath?.none))

    var now: (flow: String, node: NodePath?) { place.withLock { $0 } }

    func load(_ flow: String) { place.withLock { $0.flow = flow } }

    /// Notes the node of the innermost call; `nil` after the outermost call.
    func enter(_ node: ScriptedNode?) {
        // Calls are watched because they may not end, so they must not run on the global executor.
        assert(WorkerThreads.isCurrentThread)
        let entered = node?.place.path
        place.withLock { $0.node = entered }
    }
}
