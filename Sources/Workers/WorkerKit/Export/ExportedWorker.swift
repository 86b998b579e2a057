import CWorkflowPlugin
import PlainValue
import Synchronization

/// A worker of the plugin's table, and its runs.
final class ExportedWorker: Sendable {
    let definition: WorkerDefinition
    private let host: HostFunctions
    private let runs = Mutex<[workflow_run: ExportedRun]>([:])

    init(_ definition: WorkerDefinition, host: HostFunctions) {
        self.definition = definition
        self.host = host
    }

    func run(_ id: workflow_run) -> ExportedRun? { runs.withLock { $0[id] } }

    func start(_ id: workflow_run, input bytes: UnsafeRawBufferPointer) {
        let run = ExportedRun(id, host: host)
        let input: Value
        do throws(ValueError) {
            input = try EncodedValue(validating: bytes).value
        } catch {
            return run.end(
                with: WorkerError("bad_input", "the input must be a plain value: \(error)"))
        }
        runs.withLock { $0[id] = run }
        run.begin(
            Task(executorPreference: WorkerThreads.shared) { [definition] in
                let failure: (any Error)?
                do {
                    let told = run.readIdentity()
                    let resumption = told.flatMap(WorkerResumption.init)
                    try await WorkerResumption.$current.withValue(resumption) {
                        try await definition.run(
                            input, context: run.context(told),
                            outputs: WorkerEmitter { try await run.send($0) })
                    }
                    failure = nil
                } catch {
                    failure = error
                }
                _ = self.runs.withLock { $0.removeValue(forKey: id) }
                run.end(with: failure.map { WorkerError(describing: $0) })
            })
    }
}
