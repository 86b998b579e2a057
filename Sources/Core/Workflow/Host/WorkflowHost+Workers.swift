extension WorkflowHost {
    /// Applies an event of the worker at `path` as if the worker had caused it.
    ///
    /// For tests and replays, which play a worker's part. After `finished` or `failed` the worker
    /// itself is cancelled, and its outputs are dropped.
    ///
    /// ```swift
    /// host.emit(.output(["abacus"]), fromWorkerAt: "Search/LookUp", of: LookUp.self)
    /// ```
    ///
    /// - Parameters:
    ///   - event: An output, `finished` or `failed`; a worker does not cause the others.
    ///   - path: The path of the worker's node: its parent's path with the worker's name and key.
    ///   - evenIfEnded: True to accept an event of a worker that has ended and is still declared,
    ///     as one that it caused before its end.
    /// - Returns: The outcome; `nil` if no such worker runs at `path`, or for another event.
    public func emit<W: EmittingWorker>(
        _ event: WorkerEvent<W.Output, any Error>, fromWorkerAt path: NodePath, of type: W.Type,
        evenIfEnded: Bool = false, isolation: isolated (any Actor)? = #isolation
    ) -> SendOutcome? {
        switch event {
        case .output, .finished, .failed: break
        case .started, .cancelled, .abandoned: return nil
        }
        guard let node = worker(of: type, at: path, evenIfEnded: evenIfEnded) else { return nil }
        let progress = node.state.progress
        let target = node.target(of: WorkerSignal<W>.self)
        target.isOfWorker = true
        return target.send(
            WorkerSignal(
                event: event, run: progress.startedRun,
                isLate: evenIfEnded && progress.endedRun == progress.startedRun), from: isolation)
    }

    /// Returns the declared workers of a type, in the order of the tree.
    ///
    /// ```swift
    /// host.workers(of: LookUp.self).map(\.worker.text)  // ["ab"]
    /// ```
    public func workers<W: EmittingWorker>(of type: W.Type) -> [DeclaredWorkerState<W>] {
        tree.mailbox.recordTouch()
        let wanted = ObjectIdentifier(WorkerWorkflow<W>.self)
        var found: [DeclaredWorkerState<W>] = []
        // No recursion: the tree may be deeper than the stack of this thread.
        var left: [AnyNode] = [root]
        while let node = left.popLast() {
            if let typed = node as? Node<WorkerWorkflow<W>> {
                found.append(
                    DeclaredWorkerState(
                        path: node.path, worker: typed.workflow.worker,
                        hasEnded: typed.state.progress.endedRun == typed.state.run))
            }
            // Most nodes are not workers and have none below them.
            for child in node.children.reversed()
            where child.swiftType == wanted || !child.children.isEmpty { left.append(child) }
        }
        return found
    }

    /// Cancels the worker at `path` as if it had finished before: no event is emitted, and it does
    /// not start again while it stays declared. For a tree that starts from a snapshot.
    ///
    /// ```swift
    /// host.retireWorker(at: "Search/LookUp", of: LookUp.self)  // true
    /// ```
    ///
    /// - Returns: True if a worker of this type was running there.
    @discardableResult
    public func retireWorker<W: EmittingWorker>(at path: NodePath, of type: W.Type) -> Bool {
        guard let node = worker(of: type, at: path) else { return false }
        node.state.progress.end(run: node.state.run)
        return true
    }

    private func worker<W: EmittingWorker>(
        of type: W.Type, at path: NodePath, evenIfEnded: Bool = false
    ) -> Node<WorkerWorkflow<W>>? {
        guard let typed = node(at: path) as? Node<WorkerWorkflow<W>> else { return nil }
        return !evenIfEnded && typed.state.progress.endedRun == typed.state.run ? nil : typed
    }
}

/// A declared worker of a tree and its state.
public struct DeclaredWorkerState<W: EmittingWorker> {
    /// The path of the worker's node.
    public let path: NodePath
    /// The worker.
    public let worker: W
    /// True if the worker has ended. It stays declared until a render leaves it out.
    public let hasEnded: Bool
}
