import Workflow
import WorkflowKit

extension TestedFlow {
    var runningWorkers: [WorkerRun] { player.runningWorkers }

    /// The only running worker with a name, which then counts as mentioned.
    func mention(_ name: String, key: String?, node: String?) throws(FlowTestFailure) -> WorkerRun {
        let running = runningWorkers
        let fitting = running.filter {
            $0.name == name && (key == nil || $0.key == key)
                && (node == nil || $0.node.description == node)
        }
        guard let worker = fitting.first else {
            let title = key.map { "\(name):\($0)" } ?? name
            throw FlowTestFailure(
                .notRunning, title, node.map { " in \($0)" } ?? "",
                running.isEmpty
                    ? "none runs now"
                    : "these run now: \(running.map(\.described).joined(separator: ", "))")
        }
        guard fitting.count == 1 else {
            throw FlowTestFailure(
                .severalWorkers, fitting.count, name,
                fitting.map(\.described).joined(separator: ", "))
        }
        mentioned.insert(worker)
        return worker
    }

    /// The current worker at a path, which then counts as mentioned.
    func mention(at path: NodePath) -> WorkerRun? {
        guard let worker = runningWorkers.first(where: { $0.path == path }) else { return nil }
        mentioned.insert(worker)
        return worker
    }
}

extension WorkerRun {
    var node: NodePath { path.parent }

    var key: String { path.components.last?.key ?? "" }

    /// The name in tests: `http.get`, or `http.get:1` with its key.
    var title: String { key.isEmpty ? name : "\(name):\(key)" }

    var described: String { "\(title) in \(node)" }
}
