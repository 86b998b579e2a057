import PlainValue
import Workflow
import WorkflowLua

extension FlowPlayer {
    /// True if a session restored from a snapshot would continue like this one. It is false after a
    /// failed pass, which may fail again or, where a node's `changed` failed, succeed.
    var isWhole: Bool { tree?.isWhole ?? false }

    /// Makes a snapshot of a tree. A failure is not logged.
    func makeSnapshot(of tree: FlowTree? = nil) throws(FlowError) -> FlowSnapshot {
        guard let flow, let tree = tree ?? self.tree else { throw .closed }
        let states = tree.host.makeSnapshot()
        guard states.lost.isEmpty else {
            var error = FlowError(.lostState, states.lost[0].path)
            error.notes = states.lost.map(\.description)
            throw error
        }
        var workers: [NodePath: [FlowNode.Worker]] = [:]
        for worker in tree.host.workers(of: ScriptedWorker.self) {
            workers[worker.path.parent, default: []].append(
                FlowNode.Worker(worker, self.workers.starts))
        }
        return FlowSnapshot(
            flow: flow.name, files: flow.codeHashes, milliseconds: log.time,
            random: randomState(of: tree, flow), principal: scripts.header?.principal,
            props: tree.props, startTime: flow.dependsOnStartTime ? startTime : nil, tree: states,
            workers: workers)
    }

    /// The snapshot, the workers that are refused there, and the inputs after it from which the
    /// current code reaches a step. The snapshot is `nil` if that is the flow's beginning.
    func way(to step: Int) throws(FlowError) -> (
        snapshot: FlowSnapshot?, refusals: [WorkerRefusal], inputs: [FlowInput]
    ) {
        guard let flow, (0...timeline.count).contains(step) else { throw noStep(step) }
        if try earlierCode(after: step) != nil {
            let checkpoint = try rehearse(at: step) { $0.checkpoint }
            return (snapshot(of: checkpoint, flow), checkpoint.refusals, [])
        }
        if let kept = past.timeline.kept(before: step) {
            return (
                snapshot(of: kept, flow), kept.refusals,
                Array(past.timeline.inputs[kept.step..<step])
            )
        }
        var snapshot = try scripts.header?.snapshot.map { (document) throws(FlowError) in
            try FlowSnapshot(document: document)
        }
        snapshot?.isLenient = true
        return (snapshot, past.origin?.refusals ?? [], Array(past.timeline.inputs[..<step]))
    }

    /// The document of a state from which other code continues; `nil` if it cannot be written.
    func document(of checkpoint: FlowCheckpoint, _ flow: LuaFlow) -> Value? {
        guard checkpoint.tree?.lost.isEmpty ?? false else { return nil }
        let document = snapshot(of: checkpoint, flow)?.document
        let limits = ValueLimits(
            depth: ValueLimits.document.depth - 1, byteCount: Timeline.memoryLimit)
        // A line with a larger document could not be read again.
        guard (try? document?.encoded(limits: limits)) != nil else { return nil }
        return document
    }

    private func snapshot(of checkpoint: FlowCheckpoint, _ flow: LuaFlow) -> FlowSnapshot? {
        guard let tree = checkpoint.tree else { return nil }
        var workers: [NodePath: [FlowNode.Worker]] = [:]
        for run in checkpoint.ended {
            workers[run.path.parent, default: []].append(
                FlowNode.Worker(
                    name: run.path.components.last?.name ?? "",
                    key: run.path.components.last?.key ?? "", input: run.input, hasEnded: true))
        }
        let last =
            checkpoint.step > 0 ? past.timeline.inputs[checkpoint.step - 1].milliseconds : log.time
        return FlowSnapshot(
            flow: flow.name, files: flow.codeHashes, milliseconds: last,
            random: checkpoint.random, principal: scripts.header?.principal,
            props: checkpoint.props, startTime: flow.dependsOnStartTime ? startTime : nil,
            refusals: checkpoint.refusals, tree: tree, workers: workers)
    }

    func nodes() -> FlowNode? { tree.map { nodes(of: $0, workers.starts) } }

    func nodes(of tree: FlowTree, _ starts: WorkerStarts? = nil) -> FlowNode {
        let states = tree.host.makeSnapshot().root
        let workers = Dictionary(
            grouping: tree.host.workers(of: ScriptedWorker.self), by: { $0.path.parent })
        // Workers end without a change of states, so a description with workers is not reused.
        let nodes = FlowNode(
            states, below: [], workers: workers, starts,
            known: workers.isEmpty ? tree.described : nil)
        tree.described = workers.isEmpty ? (states, nodes) : nil
        return nodes
    }

    /// Checks that a tree has restored all of its snapshot, and logs or throws the rest.
    func goOn(from snapshot: FlowSnapshot, in tree: FlowTree, _ flow: LuaFlow) throws(FlowError) {
        restoreStarts(of: snapshot, in: tree)
        var notes: [String] = []
        let restoration = tree.host.restoration ?? Restoration()
        if Name(snapshot.flow) != Name(flow.name) {
            notes.append("it is of the flow '\(snapshot.flow)', not of '\(flow.name)'")
        } else if !options.takesChangedFiles {
            // Compares only loaded files: one that is required later may not be loaded yet.
            let (codes, texts) = (flow.codeHashes, flow.fileHashes)
            let changed = snapshot.files.keys.sorted().filter { file in
                // Snapshots of earlier versions have the sums of whole texts.
                guard let code = codes[file], let sum = snapshot.files[file] else { return false }
                return sum != code && sum != texts[file]
            }
            scripts.hasOtherFiles = !changed.isEmpty
            if !snapshot.isMigrated(to: flow.version) {
                notes += changed.map { "\($0) has changed since it was made" }
            }
        }
        notes += restoration.lost.map { "\($0.path) cannot go on: \($0.reason)" }
        // A migrated state may lead to other children, so differences below it are expected.
        let migrated =
            restoration.isComplete
            ? [] : snapshot.migrated(in: tree.host.makeSnapshot(), except: restoration.lost)
        let missing = restoration.missing.filter { !$0.isBelow(migrated) }
        let orphaned = restoration.orphaned.filter { !$0.isBelow(migrated) }
        notes += missing.map { "\($0) is new, and has no state in it" }
        notes += orphaned.map { "\($0) is in it, but not in the flow any more" }
        guard !notes.isEmpty else { return }
        guard snapshot.isLenient else {
            let isMigrated = flow.migrates && snapshot.isMigrated(to: flow.version)
            var error = FlowError(
                scripts.hasOtherFiles && !isMigrated ? .unfitSnapshotOfOtherFiles : .unfitSnapshot)
            error.notes = notes
            throw error
        }
        for note in notes {
            log.add(.log(level: .warning, message: "snapshot: " + note, location: nil))
        }
    }
}

extension FlowNode {
    /// - Parameter known: The node at another moment; its children are reused if they are the same.
    fileprivate init(
        _ node: TreeSnapshot.Node, below parents: [NodePath.Component],
        workers: [NodePath: [DeclaredWorkerState<ScriptedWorker>]], _ starts: WorkerStarts?,
        known: FlowTree.Described? = nil
    ) {
        let components = parents + [NodePath.Component(name: node.name, key: node.key)]
        let path = NodePath(components)
        let children: [FlowNode]
        if let known, known.states.children.sharesStorage(with: node.children) {
            children = known.nodes.children
        } else {
            children = node.children.map {
                FlowNode($0, below: components, workers: workers, starts)
            }
        }
        self.init(
            path: path, name: node.name, key: node.key,
            props: node.inputs ?? .null, state: node.state?.value ?? .null,
            workers: (workers.isEmpty ? [] : workers[path] ?? []).map { Worker($0, starts) },
            children: children)
    }
}

extension FlowNode.Worker {
    fileprivate init(_ worker: DeclaredWorkerState<ScriptedWorker>, _ starts: WorkerStarts?) {
        let start = starts?[worker.path]
        self.init(
            name: worker.worker.nodeName, key: worker.path.components.last?.key ?? "",
            input: worker.worker.input, started: start?.started, hasEnded: worker.hasEnded,
            step: start?.step ?? 0, attempt: start?.attempt ?? 1, paused: start?.paused ?? 0,
            refused: starts?.refused(at: worker.path) ?? [])
    }
}

extension FlowSnapshot {
    /// True if the flow's version was raised since, so that the changed files are intended.
    fileprivate func isMigrated(to version: Int) -> Bool {
        tree.root.state?.version.map { $0 < version } ?? false
    }

    /// The nodes whose states were made by `migrate`, in a tree that was restored from here.
    fileprivate func migrated(
        in now: TreeSnapshot, except lost: [TreeSnapshot.Loss]
    ) -> Set<NodePath> {
        let lost = Set(lost.map(\.path))
        var versions: [NodePath: Int] = [:]
        now.root.visit { path, node in versions[path] = node.state?.version }
        var migrated: Set<NodePath> = []
        tree.root.visit { path, node in
            guard let old = node.state?.version, let new = versions[path], old < new,
                !lost.contains(path)
            else { return }
            migrated.insert(path)
        }
        return migrated
    }
}

extension TreeSnapshot.Node {
    /// Visits the node and its descendants with their paths, without recursion.
    fileprivate func visit(_ body: (NodePath, TreeSnapshot.Node) -> Void) {
        var left: [(node: TreeSnapshot.Node, parents: [NodePath.Component])] = [(self, [])]
        while let (node, parents) = left.popLast() {
            let components = parents + [NodePath.Component(name: node.name, key: node.key)]
            body(NodePath(components), node)
            left += node.children.map { ($0, components) }
        }
    }
}

extension NodePath {
    /// True if this is the path of a descendant of one of the nodes.
    fileprivate func isBelow(_ nodes: Set<NodePath>) -> Bool {
        !nodes.isEmpty
            && components.indices.dropFirst().contains {
                nodes.contains(NodePath(Array(components[..<$0])))
            }
    }
}
