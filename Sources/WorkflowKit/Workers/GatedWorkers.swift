import PlainValue
import Synchronization
import WorkerKit
import Workflow
import WorkflowLua

/// Workers behind the gate of the tree that declares them.
final class GatedWorkers: WorkerSource {
    private let base: any WorkerSource
    private let gate = Mutex(WorkerGate(isOpen: true))
    private let starts: WorkerStarts

    init(_ base: any WorkerSource, _ starts: WorkerStarts) {
        self.base = base
        self.starts = starts
    }

    /// The gate of the tree that renders now.
    var current: WorkerGate {
        get { gate.withLock { $0 } }
        set { gate.withLock { $0 = newValue } }
    }

    func work(of name: String, input: Value) throws(WorkerError) -> ScriptedWork {
        current.holding(try base.work(of: name, input: input))
    }

    func work(
        of name: String, input: Value, at path: NodePath
    ) throws(WorkerError) -> ScriptedWork {
        let work = try base.work(of: name, input: input)
        return current.holding { [starts] sink in
            try await starts.running(at: path) { try await work(sink) }
        }
    }
}
