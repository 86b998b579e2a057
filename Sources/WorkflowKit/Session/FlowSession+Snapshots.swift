import PlainValue
import WorkerKit
import Workflow
public import WorkflowLua

extension FlowSession {
    /// The session as it is now, for going on from there later.
    ///
    /// - Throws: A `FlowError` if the session is closed, or a native node has a state that cannot be kept.
    public func snapshot() throws(FlowError) -> FlowSnapshot {
        do throws(FlowError) { return try makeSnapshot() } catch { throw noted(error) }
    }

    /// Whether going on from a ``snapshot()`` would be the same as going on here: not after a pass that failed, which may
    /// fail anew or, where a node's `changed` failed, be good.
    package var isWhole: Bool { tree?.isWhole ?? false }

    /// The session as it is now; nobody is told of a failure.
    func makeSnapshot() throws(FlowError) -> FlowSnapshot {
        guard let flow, let tree else {
            throw FlowError(.misuse, "the session is closed")
        }
        let states = tree.host.makeSnapshot()
        guard states.lost.isEmpty else {
            var error = FlowError(
                .snapshot, "the state of \(states.lost[0].path) cannot be kept",
                help: "make the states of native workflows Codable")
            error.notes = states.lost.map(\.description)
            throw error
        }
        var workers: [NodePath: [FlowNode.Worker]] = [:]
        for worker in tree.host.workers(of: ScriptedWorker.self) {
            workers[NodePath(Array(worker.path.components.dropLast())), default: []].append(
                FlowNode.Worker(
                    name: worker.worker.nodeName, key: worker.path.components.last?.key ?? "",
                    input: worker.worker.input, started: workerStarts[worker.path],
                    hasEnded: worker.hasEnded))
        }
        return FlowSnapshot(
            flow: flow.name, files: flow.fileHashes, milliseconds: log.time,
            random: flow.randomState,
            props: tree.props, tree: states, workers: workers)
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

    /// Notes that the workers of a snapshot which go on were started long ago.
    func noteStarts(of snapshot: FlowSnapshot) {
        for (path, workers) in snapshot.workers {
            for worker in workers {
                let path = NodePath(
                    path.components + [.init(name: worker.name, key: worker.key)])
                if workerStarts[path] != nil { workerStarts[path] = worker.started }
            }
        }
    }

    /// Makes sure that a tree goes on from all that its snapshot holds.
    func check(
        _ snapshot: FlowSnapshot, _ flow: LuaFlow, _ tree: FlowTree
    ) throws(FlowError) {
        tree.retire(snapshot.endedWorkers)
        var notes: [String] = []
        let restoration = tree.host.restoration ?? Restoration()
        let isMigrated = snapshot.isMigrated(to: flow.version)
        if Name(snapshot.flow) != Name(flow.name) {
            notes.append("it is of the flow '\(snapshot.flow)', not of '\(flow.name)'")
        } else if !isMigrated {
            // Files that are loaded only when they are needed may not be there yet.
            let known = flow.fileHashes
            notes += snapshot.files.keys.sorted().filter { file in
                known[file].map { $0 != snapshot.files[file] } ?? false
            }.map { "\($0) has changed since it was made" }
        }
        notes += restoration.lost.map { "\($0.path) cannot go on: \($0.reason)" }
        notes += restoration.missing.map { "\($0) is new, and has no state in it" }
        notes += restoration.orphaned.map { "\($0) is in it, but not in the flow any more" }
        guard !notes.isEmpty else { return }
        if snapshot.isLenient {
            for note in notes {
                log.add(.log(level: .warning, message: "snapshot: " + note, location: nil))
            }
            return
        }
        tree.host.shutDown()
        var error = FlowError(
            .snapshot, "the snapshot does not fit the flow",
            help: "go on with what fits: --lenient, or isLenient in Swift")
        error.notes = notes
        throw error
    }
}

extension TreeSnapshot.Node {
    /// The paths of this node and all below it, in the order of the tree.
    fileprivate func paths(below parents: [NodePath.Component] = []) -> [NodePath] {
        let components = parents + [NodePath.Component(name: name, key: key)]
        return [NodePath(components)] + children.flatMap { $0.paths(below: components) }
    }
}

extension FlowSnapshot {
    /// Whether the author of the flow has raised its version since, so that a change of its files is meant.
    fileprivate func isMigrated(to version: Int) -> Bool {
        guard case .content(let content)? = tree.root.state,
            let scripted = content as? ScriptedState
        else { return false }
        return scripted.version < version
    }
}
