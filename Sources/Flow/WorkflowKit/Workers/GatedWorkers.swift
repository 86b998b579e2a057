import PlainValue
import Synchronization
import WorkerKit
import Workflow
import WorkflowLua

/// Workers behind the gate of the tree that declares them, and a record of the refused ones.
final class GatedWorkers: WorkerSource {
    private struct State {
        var gate = WorkerGate(isOpen: true)
        var again: [WorkerRefusal] = []
        var new: [WorkerRefusal] = []
    }

    private let base: any WorkerSource
    private let state = Mutex(State())
    private let starts: WorkerStarts
    /// The maximum number of refusals that are kept, as a flow may declare other inputs each time.
    private static let mostRefusals = 64

    init(_ base: any WorkerSource, _ starts: WorkerStarts) {
        self.base = base
        self.starts = starts
    }

    /// The gate of the tree that is rendering.
    var current: WorkerGate {
        get { state.withLock { $0.gate } }
        set { state.withLock { $0.gate = newValue } }
    }

    /// The refusals of an input that is replayed: the same workers are refused again.
    var again: [WorkerRefusal] {
        get { state.withLock { $0.again } }
        set { state.withLock { $0.again = newValue } }
    }

    /// Takes the refusals since the last call.
    func takeNew() -> [WorkerRefusal] {
        state.withLock { state in
            defer { state.new = [] }
            return state.new
        }
    }

    func work(of name: String, input: Value) throws(WorkerError) -> ScriptedWork {
        current.holding(try admit(name, input))
    }

    func work(
        of name: String, input: Value, at path: NodePath
    ) throws(WorkerError) -> ScriptedWork {
        let work = try admit(name, input)
        return current.holding { [starts] sink in
            try await starts.running(at: path) { try await work(sink) }
        }
    }

    private func admit(_ name: String, _ input: Value) throws(WorkerError) -> ScriptedWork {
        do throws(WorkerError) {
            if let known = again.first(where: { $0.concerns(name, input) }) { throw known.error }
            let work = try base.work(of: name, input: input)
            forget(name, input)
            return work
        } catch {
            let refusal = WorkerRefusal(worker: name, input: input, error: error)
            state.withLock { if !$0.new.contains(refusal) { $0.new.append(refusal) } }
            forget(name, input)
            current.refusals = current.refusals.suffix(Self.mostRefusals - 1) + [refusal]
            throw error
        }
    }

    private func forget(_ name: String, _ input: Value) {
        let gate = current
        guard gate.refusals.contains(where: { $0.concerns(name, input) }) else { return }
        gate.refusals.removeAll { $0.concerns(name, input) }
    }
}
