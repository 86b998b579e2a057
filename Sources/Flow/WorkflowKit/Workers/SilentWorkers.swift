import PlainValue
import WorkflowLua

/// Workers of any name that do nothing: a recording or a copy plays their part.
struct SilentWorkers: WorkerSource {
    func work(of name: String, input: Value) -> ScriptedWork { Self.work }

    /// Work that lasts until it is cancelled.
    static let work: ScriptedWork = { _ in
        let (stream, end) = AsyncStream<Never>.makeStream()
        await withTaskCancellationHandler {
            for await _ in stream {}
        } onCancel: {
            end.finish()
        }
        throw CancellationError()
    }
}
