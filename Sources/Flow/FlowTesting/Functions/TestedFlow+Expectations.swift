import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

// The expectations of a test.
extension TestedFlow {
    func expect(
        _ found: Value, _ expected: Value, _ what: String, isPartial: Bool
    ) throws(FlowTestFailure) {
        let mismatches = found.mismatches(with: expected, isPartial: isPartial)
        guard mismatches.isEmpty else {
            var failure = FlowTestFailure(.otherValue, what, mismatches: mismatches)
            failure.error.help = timeToPass
            throw failure
        }
    }

    /// Advice to advance to the next timer, if there is one.
    private var timeToPass: String? {
        guard
            let next = timers.values.min(by: {
                ($0.due, $0.worker.title) < ($1.due, $1.worker.title)
            })
        else { return nil }
        let left = (next.due - now).milliseconds
        let seconds = left % 1000 == 0 ? "\(left / 1000)" : "\(Double(left) / 1000)"
        return "\(next.worker.title) is due in \(seconds) s; to let them pass: "
            + "flow:advance(\(seconds))"
    }

    func expectState(_ expected: Value, of path: String?) throws(FlowTestFailure) {
        guard let state = state(of: path) else {
            throw FlowTestFailure(
                .noScriptedNode, path ?? flow.name, nodePaths.joined(separator: ", "))
        }
        let what = path.map { "the state of \($0)" } ?? "the state"
        try expect(state, expected, what, isPartial: true)
    }

    func expectOutput(_ expected: Value) throws(FlowTestFailure) {
        guard !outputs.isEmpty else {
            throw FlowTestFailure(.noOutput, mismatches: [ValueMismatch(expected: expected)])
        }
        let output = outputs.removeFirst()
        try expect(output.content, expected, "the output", isPartial: false)
    }

    func expectNoOutput() throws(FlowTestFailure) {
        guard !outputs.isEmpty else { return }
        throw FlowTestFailure(
            .anOutput, mismatches: outputs.map { ValueMismatch(found: $0.content) })
    }

    func expectNoWorker(_ name: String?) throws(FlowTestFailure) {
        let running = runningWorkers.filter { name == nil || $0.name == name }
        guard let worker = running.first else { return }
        throw FlowTestFailure(
            .aWorker, worker.title, mismatches: [ValueMismatch(found: worker.input)])
    }

    /// Takes the error of the last step, which must contain a text or the fields of a record.
    func expectError(_ expected: Value) throws(FlowTestFailure) {
        guard !errors.isEmpty else {
            throw FlowTestFailure(.nothingFailed, mismatches: [ValueMismatch(expected: expected)])
        }
        let error = errors.removeFirst().content
        if case .string(let text) = expected {
            guard !error.message.containsText(text) else { return }
            throw FlowTestFailure(
                .otherValue, "the error",
                mismatches: [ValueMismatch(expected: expected, found: .string(error.message))])
        }
        let record: Value.Record = error.record
        try expect(.record(record), expected, "the error", isPartial: true)
    }

    private var nodePaths: [String] {
        func paths(_ node: TreeSnapshot.Node, below parents: [NodePath.Component]) -> [String] {
            let components = parents + [NodePath.Component(name: node.name, key: node.key)]
            return [NodePath(components).description]
                + node.children.flatMap { paths($0, below: components) }
        }
        return player.checkpoint()?.tree.map { paths($0.root, below: []) } ?? []
    }
}

extension String {
    /// True if it contains `text`, which may be empty.
    func containsText(_ text: String) -> Bool { text.isEmpty || contains(text) }
}
