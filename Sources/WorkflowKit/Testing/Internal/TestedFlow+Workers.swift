import PlainValue
import Workflow
import WorkflowLua

/// A worker that a tested flow declares now.
struct TestedWorker {
    let run: WorkerRun
    let name: String
    let key: String
    let hasEnded: Bool

    /// The path of the node that declares it.
    var node: String { NodePath(Array(run.path.components.dropLast())).description }

    /// As tests name it: `http.get`, or `http.get:1` with its key.
    var title: String { key.isEmpty ? name : "\(name):\(key)" }

    init(_ state: DeclaredWorkerState<ScriptedWorker>) {
        run = WorkerRun(path: state.path, input: state.worker.input)
        name = state.worker.nodeName
        key = state.path.components.last?.key ?? ""
        hasEnded = state.hasEnded
    }
}

extension TestedFlow {
    /// The workers that are declared now, in the order of the tree.
    var workers: [TestedWorker] {
        tree?.host.workers(of: ScriptedWorker.self).map(TestedWorker.init) ?? []
    }

    var runningWorkers: [TestedWorker] { workers.filter { !$0.hasEnded } }

    /// The one worker that runs under a name; it counts as mentioned.
    func mention(
        _ name: String, key: String?, node: String?
    ) throws(FlowTestFailure) -> TestedWorker {
        let running = runningWorkers
        let fitting = running.filter {
            $0.name == name && (key == nil || $0.key == key) && (node == nil || $0.node == node)
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
    func mention(at path: NodePath) -> TestedWorker? {
        guard let worker = runningWorkers.first(where: { $0.run.path == path }) else { return nil }
        mentioned.insert(worker.run)
        return worker
    }
}

extension TestedWorker {
    /// Its name and where it runs.
    var described: String { "\(title) in \(node)" }
}
