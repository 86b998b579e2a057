import PlainValue
import WorkflowLua

// A render fails with the reason for which there is no worker, in words for flows.
struct Workers: WorkerSource {  // error: does not conform to protocol 'WorkerSource'
    func work(of name: String, input: Value) throws -> ScriptedWork { throw CancellationError() }
}
