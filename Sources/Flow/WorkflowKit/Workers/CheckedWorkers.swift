package import PlainValue
package import WorkerKit
import WorkflowLua
package import WorkflowPlugins

/// Workers that do nothing by themselves, and are checked if a plugin describes them.
struct CheckedWorkers: WorkerSource {
    let registry: WorkerRegistry

    func work(of name: String, input: Value) throws(WorkerError) -> ScriptedWork {
        try check(name) { worker throws(WorkerError) in try worker.check(input) }
        return SilentWorkers.work
    }

    fileprivate func check(
        _ name: String, _ body: (WorkerDefinition) throws(WorkerError) -> Void
    ) throws(WorkerError) {
        let worker: WorkerDefinition
        do throws(WorkerError) {
            worker = try registry.worker(named: name)
        } catch {
            // A test may lack the whole plugin. A loaded plugin without the worker is a mistake.
            guard offersOthers(besides: name) else { return }
            throw error
        }
        do throws(WorkerError) {
            try body(worker)
        } catch {
            throw WorkerError(error.code, "worker '\(name)': \(error.message)", help: error.help)
        }
    }

    private func offersOthers(besides name: String) -> Bool {
        guard let dot = name.lastIndex(of: ".") else { return false }
        return registry.workers.contains { $0.name.hasPrefix(name[...dot]) }
    }
}

extension WorkerRegistry {
    /// Checks that a worker could have given an output, if a plugin describes the worker.
    package func check(output: Value, of name: String) throws(WorkerError) {
        try CheckedWorkers(registry: self).check(name) { worker throws(WorkerError) in
            try worker.output.check(output)
        }
    }
}
