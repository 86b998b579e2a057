import PlainValue
import WorkflowKit
import WorkflowLua

extension TestedFlow {
    /// Throws the first error that the test has not expected.
    func checkErrors() throws(FlowTestFailure) {
        guard let first = errors.first else { return }
        var error = first.content
        if let place = first.location {
            error.notes.append("caused by the step at \(place.file):\(place.line)")
        }
        throw FlowTestFailure(error)
    }

    /// Throws a failure for an error, an output or a running worker that was not mentioned.
    func checkEnd() throws(FlowTestFailure) {
        try checkErrors()
        guard !isLoose else { return }
        if let output = outputs.first {
            var failure = FlowTestFailure(
                outputs.count == 1 ? .unexpectedOutput : .unexpectedOutputs, outputs.count,
                mismatches: outputs.map { ValueMismatch(found: $0.content) })
            failure.error.location = output.location
            throw failure
        }
        let workers = runningWorkers.filter { !mentioned.contains($0) }
        guard let worker = workers.first else { return }
        let names = workers.map(\.described).joined(separator: ", ")
        let isClock = timers[worker] != nil
        let key = worker.key.isEmpty ? "" : ", \"\(worker.key)\""
        let seconds = (worker.input["seconds"] ?? 1).summary(maxLength: 20)
        var failure = FlowTestFailure(
            isClock ? .unmentionedTimer : .unmentionedWorker,
            workers.count == 1 ? "a worker runs" : "workers run", names,
            isClock ? seconds : "\"\(worker.name)\"\(key)")
        failure.error.location = location
        throw failure
    }
}
