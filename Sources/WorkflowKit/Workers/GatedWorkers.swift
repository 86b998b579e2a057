import PlainValue
import Synchronization
import WorkerKit
import WorkflowLua

/// Workers behind the gate of the tree that declares them.
final class GatedWorkers: WorkerSource {
    private let base: any WorkerSource
    private let gate = Mutex(WorkerGate(isOpen: true))

    init(_ base: any WorkerSource) { self.base = base }

    /// The gate of the tree that renders now.
    var current: WorkerGate {
        get { gate.withLock { $0 } }
        set { gate.withLock { $0 = newValue } }
    }

    func work(of name: String, input: Value) throws(WorkerError) -> ScriptedWork {
        current.holding(try base.work(of: name, input: input))
    }
}
