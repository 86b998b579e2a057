// Steps are processed one at a time.

extension WorkflowTree {
    /// Runs `change`, renders the nodes that it made dirty, publishes and delivers outputs. Then it
    /// processes what the owner sent meanwhile.
    func process(_ change: () throws -> Void) -> SendOutcome {
        let isOutermost = beginWork()
        let outcome: SendOutcome
        do {
            try change()
            outcome = renderChanges()
        } catch {
            outcome = giveUp(error)
        }
        endWork(outcome, isOutermost: isOutermost)
        return outcome
    }

    /// Begins a step. Returns `false` for one that the owner sent during another.
    func beginWork() -> Bool {
        let isOutermost = !isBusy
        isBusy = true
        if let host, let onWork = host.onWork { onWork() }
        return isOutermost
    }

    func endWork(_ outcome: SendOutcome, isOutermost: Bool) {
        assert(isBusy)
        if host?.onProcessed != nil { host?.onProcessed?(outcome) }
        // Only the outermost step takes from the queue, so that values in a row do not nest.
        guard isOutermost else { return }
        finishWork()
        takeWaitingIfUnowned()
    }

    func giveUp(_ error: any Error) -> SendOutcome {
        if let dropped = error as? DroppedAction {
            reportDrop(dropped.path, dropped.reason)
            return .dropped(dropped.reason)
        }
        let failure =
            error as? WorkflowFailure
            ?? WorkflowFailure(path: NodePath([]), phase: .apply, error: error)
        host?.dropOutputs()
        report(.failure(failure))
        return .failed(failure)
    }

    func renderChanges() -> SendOutcome {
        var failure: WorkflowFailure?
        if root?.isDirty == true { failure = renderPass() }
        if host?.hasOutputs == true { host?.deliverOutputs() }
        return failure.map { .failed($0) } ?? .applied
    }

    /// Processes what the owner sent meanwhile; then the step is over.
    func finishWork() {
        takeOwn()
        rest()
    }

    /// Processes what others have sent so far, if no actor is woken for it.
    func takeWaitingIfUnowned() {
        if !mailbox.isOwned, mailbox.hasWaiting { takeWaiting() }
    }

    /// Processes what others have sent so far, or a slice of it, unless a step is under way. Values
    /// sent meanwhile wait for the next call, so this returns however fast they send.
    func takeWaiting(within slice: DrainSlice? = nil) {
        guard !isBusy else { return }
        isBusy = true
        var slice = slice
        for _ in 0..<mailbox.collect() where !isEnding {
            mailbox.nextCollected()?.deliver(in: self)
            takeOwn()
            if slice?.use() == false { break }
        }
        rest()
    }

    private func takeOwn() {
        while !isEnding, let envelope = mailbox.nextOwn() { envelope.deliver(in: self) }
    }

    private func rest() {
        assert(isBusy && !isRendering)
        isBusy = false
        if isEnding { end() }
        mailbox.comeToRest()
    }

    @discardableResult
    func processOrQueue(_ change: @escaping () throws -> Void) -> SendOutcome {
        guard isBusy else { return process(change) }
        mailbox.enqueueOwn(ChangeEnvelope(change: change))
        return .queued
    }

    /// Reports a value that could not be applied. One of a stopped worker goes to observers only.
    func reportDrop(_ path: NodePath, _ reason: DropReason) {
        if reason == .workerStopped {
            instruments?.report(.dropped(path, reason))
        } else {
            report(.dropped(path, reason))
        }
    }

    func reportReentry(from target: AnySinkTarget) {
        if isRendering { report(.sentDuringRender(target.nodePath)) }
    }

    /// Ends every node, root last, at once or after the step. Waiting and later values are dropped.
    func shutDown() {
        isEnding = true
        if !isBusy { end() }
    }

    private func end() {
        assert(isEnding && !isBusy)
        guard let root else { return }
        // Values that are sent while nodes end are queued, and dropped with the rest.
        isBusy = true
        host?.finish()
        host = nil
        AnyNode.end([root])
        self.root = nil
        for envelope in mailbox.close() { envelope.drop(in: self) }
        isBusy = false
    }
}

/// A change that the host itself queued; `@unchecked Sendable` because every envelope is.
private final class ChangeEnvelope: Envelope, @unchecked Sendable {
    let change: () throws -> Void

    init(change: @escaping () throws -> Void) { self.change = change }

    override func deliver(in tree: WorkflowTree) { _ = tree.process(change) }
}
