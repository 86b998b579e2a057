import PlainValue
import Workflow
import WorkflowLua

// Holding, starting and restoring the workers of the tree.
extension FlowPlayer {
    func confirm(through step: Int) {
        past.confirmedStep = max(past.confirmedStep, step)
        releaseWorkers()
    }

    /// Holds the workers until the next input is stored.
    func holdWorkers() {
        if options.onInput != nil { tree?.gate.close() }
    }

    /// Lets the workers continue, unless an earlier step is shown or an input is not stored yet.
    func releaseWorkers() {
        guard let tree, past.parked == nil else { return }
        let isStored = processing.underWay.isEmpty && tree.step <= past.confirmedStep
        if options.onInput == nil || isStored { tree.gate.open() }
    }

    /// Logs the workers that a replayed or new tree declared without events.
    ///
    /// - Parameter step: The step at which they start; `nil` if they have been started.
    func logRunningWorkers(in tree: FlowTree, startedAt step: Int?) {
        for worker in tree.host.workers(of: ScriptedWorker.self) where !worker.hasEnded {
            if let step {
                workerStarted(at: worker.path, step: step)
            } else {
                logStart(of: worker.path)
            }
        }
    }

    func workerReported(_ event: WorkerEvent<Void, any Error>, at path: NodePath) {
        // Workers of the past are held; they start when the session continues from there.
        guard past.parked == nil, let worker = path.components.last else { return }
        switch event {
        case .started:
            // A worker that is declared during an input belongs to the input's step.
            workerStarted(at: path, step: (tree?.step ?? 0) + (processing.underWay.isEmpty ? 0 : 1))
        case .cancelled:
            workers.starts.remove(at: path)
            workers.starts.removeRefused(at: path)
            log.add(.worker(.cancelled, worker: worker.name, key: worker.key, node: path.parent))
        // The worker stays declared, and so do its refused outputs.
        case .finished, .failed, .abandoned: workers.starts.remove(at: path)
        case .output: break
        }
    }

    private func workerStarted(at path: NodePath, step: Int) {
        workers.starts.add(
            .init(
                started: log.time, step: options.firstStep + step,
                isKnown: log.isMuted && !processing.underWay.isEmpty),
            at: path)
        logStart(of: path)
    }

    private func logStart(of path: NodePath) {
        guard let worker = path.components.last else { return }
        log.add(.worker(.started, worker: worker.name, key: worker.key, node: path.parent))
    }

    /// Resumes the workers that were running in a snapshot and are declared with the same input.
    func restoreStarts(of snapshot: FlowSnapshot, in tree: FlowTree) {
        var declared: [NodePath: Value] = [:]
        for worker in tree.host.workers(of: ScriptedWorker.self) {
            declared[worker.path] = worker.worker.input
        }
        for (path, workers) in snapshot.workers {
            for worker in workers {
                let path = NodePath(path.components + [.init(name: worker.name, key: worker.key)])
                guard declared[path] == worker.input else { continue }
                if !worker.hasEnded { self.workers.starts.restore(worker, at: path) }
                self.workers.starts.restore(worker.refused, at: path)
            }
        }
    }

    /// Keeps only the refused outputs of a snapshot whose workers are declared with the same input.
    func restoreRefused(of snapshot: FlowSnapshot) {
        var refused: [NodePath: (input: Value, outputs: [RefusedOutput])] = [:]
        for (path, workers) in snapshot.workers {
            for worker in workers where !worker.refused.isEmpty {
                let path = NodePath(path.components + [.init(name: worker.name, key: worker.key)])
                refused[path] = (worker.input, worker.refused)
            }
        }
        for worker in tree?.host.workers(of: ScriptedWorker.self) ?? [] {
            let known = refused[worker.path].flatMap {
                $0.input == worker.worker.input ? $0.outputs : nil
            }
            workers.starts.restore(known ?? [], at: worker.path)
        }
    }

    func step(ofWorkerOf news: WorkerNews) -> Int? { workers.starts[news.workerPath]?.step }

    var dormantUntil: Int? {
        guard past.parked == nil, let tree else { return nil }
        var first: Int?
        for worker in tree.host.workers(of: ScriptedWorker.self) where !worker.hasEnded {
            guard let due = workers.starts[worker.path]?.restsUntil else { return nil }
            first = min(first ?? due, due)
        }
        return first
    }
}
