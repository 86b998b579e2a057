import LuaVM
import PlainValue
import WorkerKit
import Workflow
import WorkflowKit
import WorkflowLua

// The methods of a worker, by their names in Lua.
extension TestScript {
    func makeWorkerMethods() throws(LuaError) -> [String: LuaReference] {
        [
            "expect_input": try workerMethod("expect_input") { flow, worker, call in
                let expected = try call.given(at: 2, "what is expected of the input")
                try flow.expect(
                    worker.input, expected, "the input of '\(worker.title)'",
                    isPartial: true)
            },
            "output": try workerMethod("output") { flow, worker, call in
                let output = try call.value(at: 2, root: "output")
                do throws(WorkerError) {
                    try flow.options.plugins.check(output: output, of: worker.name)
                } catch {
                    var failure = FlowTestFailure(.badOutput, error.message)
                    failure.error.help = error.help
                    throw failure
                }
                try flow.emit(worker.news(.output(output)))
            },
            "finish": try workerMethod("finish") { flow, worker, _ in
                try flow.emit(worker.news(.finished))
            },
            "fail": try workerMethod("fail") { flow, worker, call in
                let error = try call.workerError(at: 2)
                try flow.emit(worker.news(.failed(error)))
            },
        ]
    }
}

extension LuaCall {
    /// An argument that is a message, or `{ code = …, message = … }`.
    fileprivate func workerError(at index: Int) throws(LuaError) -> WorkerError {
        if let message = string(at: index) { return WorkerError("failed", message) }
        let fields = try record(at: index, name: "the error")
        guard let code = fields["code"]?.string else {
            throw LuaError.misuse(
                "fail needs a message, or a code and a message",
                "worker:fail { code = \"timed_out\", message = \"…\" }")
        }
        let names = ["code", "help", "message"]
        if let name = fields.keys.first(where: { !names.contains($0) }) {
            throw LuaError.misuse(
                "an error of a worker has no field '\(name)'"
                    + suggestion(for: name, among: names, noun: "fields"),
                "worker:fail { code = \"timed_out\", message = \"…\" }")
        }
        return WorkerError(code, fields["message"]?.string ?? code, help: fields["help"]?.string)
    }
}
