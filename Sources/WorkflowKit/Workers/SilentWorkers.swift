package import PlainValue
package import WorkerKit
package import WorkflowLua

/// Workers of any name that never do anything by themselves: those of a recording or a test, which plays their part.
package struct SilentWorkers: WorkerSource {
    package init() {}

    package func work(of name: String, input: Value) throws(WorkerError) -> ScriptedWork {
        { _ in
            let (stream, end) = AsyncStream<Never>.makeStream()
            await withTaskCancellationHandler {
                for await _ in stream {}
            } onCancel: {
                end.finish()
            }
            throw CancellationError()
        }
    }
}
