import PlainValue
import WorkerKit
import WorkflowLua
import WorkflowPlugins

/// The workers of plugins, as flows run them by name.
struct PluginWorkers: WorkerSource {
    let session: WorkerSession

    func work(of name: String, input: Value) throws(WorkerError) -> ScriptedWork {
        let declared = try session.declare(name, input: input)
        return { sink in try await declared.run(into: sink) }
    }
}
