// One thing at a time.

extension WorkflowTree {
    /// Runs `change`, renders what it made dirty, publishes, hands out outputs, then takes on what the owner sent
    /// meanwhile.
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

    // The steps of that.

    /// Whether nothing else is under way.
    func beginWork() -> Bool {
        let isOutermost = !isBusy
        isBusy = true
        if let host, let onWork = host.onWork { onWork() }
        return isOutermost
    }

    func endWork(_ outcome: SendOutcome, isOutermost: Bool) {
        if host?.onProcessed != nil { host?.onProcessed?(outcome) }
        guard isOutermost else { return }
        finishWork()
        takeWaitingIfUnowned()
    }

    /// Reports why a change failed.
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

    /// Renders what a change made dirty, and hands out its outputs.
    func renderChanges() -> SendOutcome {
        var failure: WorkflowFailure?
        if root?.isDirty == true { failure = renderPass() }
        if host?.hasOutputs == true { host?.deliverOutputs() }
        return failure.map { .failed($0) } ?? .applied
    }

    /// Takes on what the owner sent meanwhile, then comes to rest.
    func finishWork() {
        takeOwn()
        rest()
    }

    /// Takes on what others have sent until now, if nobody is going to wake the owner for it.
    func takeWaitingIfUnowned() {
        if !mailbox.isOwned, mailbox.hasWaiting { takeWaiting() }
    }

    /// Takes on what others have sent until now, or a slice of it, unless something is under way.
    ///
    /// What they send meanwhile is left for the next time, so this returns however fast they are.
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
        isBusy = false
        if isEnding { end() }
        mailbox.comeToRest()
    }

    /// Runs `change` as ``process(_:)`` does, at once or when what is under way is complete.
    @discardableResult
    func processOrQueue(_ change: @escaping () throws -> Void) -> SendOutcome {
        guard isBusy else { return process(change) }
        mailbox.enqueueOwn(ChangeEnvelope(change: change))
        return .queued
    }

    /// Reports a value that could not be applied; one of a worker that was stopped concerns observers only.
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

    // MARK: The end

    /// Ends every node, root last, now or when what is under way is complete; what waits or comes later
    /// is dropped.
    func shutDown() {
        isEnding = true
        if !isBusy { end() }
    }

    private func end() {
        guard let root else { return }
        // What is sent while nodes end is queued, and dropped with the rest.
        isBusy = true
        AnyNode.end([root])
        self.root = nil
        host?.finish()
        host = nil
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
