import Workflow
import WorkflowKit

extension TestedFlow {
    /// The workers that are declared now, in the order of the tree.
    var workers: [DeclaredWorker] {
        player.declaredWorkers
    }

    var runningWorkers: [DeclaredWorker] { workers.filter { !$0.hasEnded } }

    /// The one worker that runs under a name; it counts as mentioned.
    func mention(
        _ name: String, key: String?, node: String?
    ) throws(FlowTestFailure) -> DeclaredWorker {
        let running = runningWorkers
        let fitting = running.filter {
            $0.name == name && (key == nil || $0.key == key)
                && (node == nil || $0.node.description == node)
        }
        guard let worker = fitting.first else {
            let title = key.map { "\(name):\($0)" } ?? name
            throw FlowTestFailure(
                "no worker '\(title)' runs" + (node.map { " in \($0)" } ?? ""),
                help: running.isEmpty
                    ? "none runs now"
                    : "these run now: \(running.map(\.described).joined(separator: ", "))")
        }
        guard fitting.count == 1 else {
            throw FlowTestFailure(
                "\(fitting.count) workers '\(name)' run",
                help: "say which: flow:worker(\"\(name)\", key), or { key = …, node = … }; "
                    + fitting.map(\.described).joined(separator: ", "))
        }
        mentioned.insert(worker.run)
        return worker
    }

    /// The worker at a path as it is now; it counts as mentioned.
    func mention(at path: NodePath) -> DeclaredWorker? {
        guard let worker = runningWorkers.first(where: { $0.run.path == path }) else { return nil }
        mentioned.insert(worker.run)
        return worker
    }
}

extension DeclaredWorker {
    /// Its name and where it runs.
    var described: String { "\(title) in \(node)" }
}
