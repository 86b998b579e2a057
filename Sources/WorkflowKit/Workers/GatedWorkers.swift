import PlainValue
import Synchronization
import WorkerKit
import WorkflowLua

/// Workers behind the gate of the tree that declares them.
final class GatedWorkers: WorkerSource {
    private let base: any WorkerSource
    private let gate = Mutex(WorkerGate(isOpen: true))
    /// Where runs go on from, while a tree is made from a snapshot.
    private let resumptions = Mutex<[Declared: [WorkerResumption]]>([:])

    /// What two workers may have in common; they then go on in the order of the tree.
    struct Declared: Hashable {
        private let name: Name
        private let input: Value

        init(name: String, input: Value) {
            self.name = Name(name)
            self.input = input
        }
    }

    init(_ base: any WorkerSource) { self.base = base }

    /// The gate of the tree that renders now.
    var current: WorkerGate {
        get { gate.withLock { $0 } }
        set { gate.withLock { $0 = newValue } }
    }

    func work(of name: String, input: Value) throws(WorkerError) -> ScriptedWork {
        let work = try base.work(of: name, input: input)
        guard let resumption = removeResumption(Declared(name: name, input: input)) else {
            return current.holding(work)
        }
        return current.holding { sink in
            try await WorkerResumption.$current.withValue(resumption) { try await work(sink) }
        }
    }

    /// Says where the runs that are declared next go on from.
    func resume(from known: [Declared: [WorkerResumption]]) {
        resumptions.withLock { $0 = known }
    }

    private func removeResumption(_ declared: Declared) -> WorkerResumption? {
        resumptions.withLock { known in
            guard !known.isEmpty, let first = known[declared]?.first else { return nil }
            known[declared]?.removeFirst()
            return first
        }
    }
}
