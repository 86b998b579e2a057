import FlowPrinting
import FlowTesting
import PlainValue
import Terminal
import WorkflowKit
import WorkflowLua

/// Prints a JSON object for each test, and one at the end.
struct JSONTestReporter: TestReporter {
    let stream: OutputStream

    func begin(_ file: String) {}

    func report(_ result: FlowTestResult, of file: String) {
        var record: Value.Record = [
            "type": "test", "file": .string(file),
            "path": .list(of: result.path.map { .string($0) }),
            "outcome": .string(result.outcome.name),
            "seconds": .double(result.duration / .seconds(1)),
        ]
        if let line = result.location?.line { record["line"] = .int(line) }
        if let failure = result.failure { record["failure"] = .record(failure.record) }
        write(record)
    }

    func report(_ error: FlowError, of file: String) {
        write(["type": "error", "file": .string(file), "error": .record(error.withOptions.record)])
    }

    func finish(_ summary: TestSummary, _ files: [TestedFile]) {
        write([
            "type": "done", "passed": .int(summary.passed), "failed": .int(summary.failed),
            "pending": .int(summary.pending), "broken": .int(summary.broken),
            "seconds": .double(summary.duration / .seconds(1)),
            "exit": .int(
                Int(
                    summary.count + summary.broken == 0
                        ? ExitStatus.noInput.rawValue : summary.status.rawValue)),
        ])
    }

    private func write(_ record: Value.Record) {
        var record = record
        record["v"] = 1
        stream.write(Value.record(record).json + "\n")
    }
}

extension FlowTestResult.Outcome {
    var name: String {
        switch self {
        case .passed: "passed"
        case .pending: "pending"
        case .failed: "failed"
        }
    }
}

extension FlowTestFailure {
    /// The failure as a plain value: the fields of its error and further details.
    fileprivate var record: Value.Record {
        var record = error.withOptions.record
        let mismatches = mismatches.map { mismatch in
            var place: Value.Record = ["path": .string(mismatch.path.description)]
            if let expected = mismatch.expected { place["expected"] = expected }
            if let found = mismatch.found { place["found"] = found }
            return Value.record(place)
        }
        record["mismatches"] = .list(of: mismatches)
        record["steps"] = .list(of: steps.map { .string($0) })
        record["recordings"] = .list(of: recordings.map { .string($0) })
        return record
    }
}
