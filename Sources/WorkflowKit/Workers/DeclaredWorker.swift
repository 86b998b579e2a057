package import PlainValue
package import Workflow
package import WorkflowLua

/// A worker that a node declares now.
package struct DeclaredWorker {
    package let run: WorkerRun
    package let name: String
    package let key: String
    package let hasEnded: Bool

    /// The path of the node that declares it.
    package var node: NodePath { run.path.parent }

    /// As tests name it: `http.get`, or `http.get:1` with its key.
    package var title: String { key.isEmpty ? name : "\(name):\(key)" }

    package init(_ state: DeclaredWorkerState<ScriptedWorker>) {
        run = WorkerRun(path: state.path, input: state.worker.input)
        name = state.worker.nodeName
        key = state.path.components.last?.key ?? ""
        hasEnded = state.hasEnded
    }

    /// An input that says what becomes of it.
    package func news(_ event: WorkerNews.Event) -> WorkerNews {
        WorkerNews(node: node, worker: name, key: key, event: event)
    }
}

/// A worker that a node declares with an input: another input is another run.
package struct WorkerRun: Hashable {
    package let path: NodePath
    package let input: Value

    package init(path: NodePath, input: Value) {
        self.path = path
        self.input = input
    }
}
