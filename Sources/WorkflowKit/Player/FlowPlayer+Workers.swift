import WorkerKit
import Workflow
import WorkflowLua

// When the workers of the tree run, and since when.
extension FlowPlayer {
    /// Says that the inputs up to a step are kept, so that workers go on if none came since.
    func confirm(through step: Int) {
        confirmedStep = max(confirmedStep, step)
        releaseWorkers()
    }

    /// Holds the workers until an input is kept.
    func holdWorkers() {
        if options.onInput != nil { tree?.gate.close() }
    }

    /// Lets the workers go on, unless an earlier step is shown or an input is not kept yet.
    func releaseWorkers() {
        guard let tree, parked == nil else { return }
        guard options.onInput == nil || underWay.isEmpty && tree.step <= confirmedStep else {
            return
        }
        tree.gate.open()
    }

    /// Tells of the workers that were declared while nobody was told.
    func logRunningWorkers(in tree: FlowTree) {
        for worker in tree.host.workers(of: ScriptedWorker.self) where !worker.hasEnded {
            workerReported(.started, at: worker.path)
        }
    }

    /// Where the workers of a snapshot that were under way go on from.
    func resumptions(
        of snapshot: FlowSnapshot
    ) -> [GatedWorkers.Declared: [WorkerResumption]] {
        let paused = max(log.time - snapshot.milliseconds, 0)
        var known: [GatedWorkers.Declared: [WorkerResumption]] = [:]
        for worker in snapshot.tree.root.paths().flatMap({ snapshot.workers[$0] ?? [] }) {
            guard !worker.hasEnded, let started = worker.started else { continue }
            known[.init(name: worker.name, input: worker.input), default: []].append(
                WorkerResumption(
                    ran: .milliseconds(max(snapshot.milliseconds - started, 0)),
                    paused: .milliseconds(paused)))
        }
        return known
    }

    /// Makes the workers of a snapshot that go on have their starts of long ago.
    func restoreStarts(of snapshot: FlowSnapshot) {
        for (path, workers) in snapshot.workers {
            for worker in workers {
                let path = NodePath(
                    path.components + [.init(name: worker.name, key: worker.key)])
                if workerStarts[path] != nil { workerStarts[path] = worker.started }
            }
        }
    }
}

extension TreeSnapshot.Node {
    /// The paths of this node and all below it, in the order of the tree.
    fileprivate func paths(below parents: [NodePath.Component] = []) -> [NodePath] {
        let components = parents + [NodePath.Component(name: name, key: key)]
        return [NodePath(components)] + children.flatMap { $0.paths(below: components) }
    }
}
