import PlainValue
import Workflow
import WorkflowLua

extension FlowPlayer {
    /// The listener that hears what happens now.
    var listener: any FlowListener { clock.silence ?? self }
}

// Puts live events together to inputs, and tells the log of them.
extension FlowPlayer: FlowListener {
    var time: Int { log.time }
    var principal: String? { log.principal }

    /// Begins to deal with an input.
    func begin(_ kind: FlowInput.Kind) {
        guard let flow else { return }
        let input = FlowInput(kind, milliseconds: log.time, by: log.principal)
        log.setEarliest(input.milliseconds)
        holdWorkers()
        if clock.underWay.isEmpty { _ = yard.workers?.takeNew() }
        makeRoomForOutputs()
        log.inputTime = input.milliseconds
        clock.underWay.append(
            InputUnderWay(
                input: input, random: flow.randomState, start: FlowOptions.coarseClock()))
        (clock.cause, clock.news) = (nil, nil)
    }

    /// Called when an input has been dealt with in full.
    func inputEnded(_ outcome: SendOutcome) {
        // What comes too late from a worker is no input.
        if case .dropped = outcome { return }
        guard let ended = clock.underWay.popLast() else { return }
        var input = ended.input
        let refusals = tellRefusals()
        input.refusals = yard.replayed ?? refusals
        log.inputTime = clock.underWay.last?.input.milliseconds
        guard let tree, let flow else { return }
        keepOrForget(input, outcome, after: tree.step)
        switch outcome {
        case .applied: addStep(of: input, tree, since: ended.start)
        // What was applied stays so, even if it cannot be rendered.
        case .failed(let failed) where failed.leavesStep:
            addStep(of: input, tree, since: ended.start)
        case .failed(let failed) where options.keepsTimeline && !FlowError(failed).code.isCut:
            past.timeline.append(failed: input, after: tree.step)
            flow.randomState = ended.random
        // As if the action had never come.
        default: flow.randomState = ended.random
        }
        if options.onInput != nil { releaseWorkers() }
        host.onInputEnd?()
    }

    /// Tells the log of the workers that were refused since it was last told.
    func tellRefusals() -> [WorkerRefusal] {
        let refusals = yard.workers?.takeNew() ?? []
        for refusal in refusals { log.add(.refused(refusal)) }
        return refusals
    }

    /// Makes an input that was applied the next step of the timeline.
    ///
    /// - Parameter start: When it began.
    func addStep(of input: FlowInput, _ tree: FlowTree, since start: Int) {
        guard let flow else { return }
        if past.parked != nil { leavePast(startingAt: tree.step + 1) }
        tree.step += 1
        if options.keepsTimeline {
            let isDue = past.timeline.append(input, time: FlowOptions.coarseClock() - start)
            if isDue, tree.isWhole { past.timeline.add(checkpoint(of: tree, flow)) }
        }
        if !log.isMuted { options.onInput?(input, tree.step) }
    }

    func printed(_ line: FlowLog) {
        let location = line.location?.inFolder(scripts.folder)
        let level: FlowEvent.LogLevel = line.isNote ? .warning : .info
        // One mistake may be seen in the text and when it is played.
        if line.isNote, let location, !scripts.noted.insert(location).inserted { return }
        log.add(.log(level: level, message: line.message, location: location))
    }

    /// Tells of likely mistakes in the files that have just been loaded.
    func tellMistakes() {
        guard let mistakes = options.mistakes, case .file = scripts.source, let flow else { return }
        let folder = scripts.folder
        let start = folder.isEmpty || folder == "/" ? folder : folder + "/"
        for var mistake in mistakes(flow.files.map { start + $0 }) {
            mistake.location?.file.removeFirst(start.count)
            printed(mistake)
        }
    }

    /// Called when an action begins to be applied.
    func actionBegan(_ action: AppliedAction) {
        // Only now: others may have waited before it.
        if action.source == "client" { begin(.action(action.action, node: action.node)) }
        log.add(.action(action.action, node: action.node, source: action.source))
        if clock.cause == nil { clock.cause = log.sequence }
    }

    /// Called when a node learns what became of one of its workers.
    func workerReported(_ news: WorkerNews) {
        begin(.worker(news))
        log.add(.worker(news.event, worker: news.worker, key: news.key, node: news.node))
        clock.news = log.sequence
    }

    /// Called with each new rendering.
    func rendered(_ value: Value) {
        guard scripts.recovery.rendering.map({ $0 != value }) ?? true else { return }
        clock.pass += 1
        log.add(
            .rendering(value, actions: flow?.actionTypes ?? [], pass: clock.pass),
            cause: clock.cause)
    }

    /// Called with each output of the root.
    func gave(output: Value) {
        addOutput(output)
        log.add(.output(output))
    }

    /// Called with what the tree reports besides.
    func treeReported(_ report: WorkflowReport) {
        // What cannot be rendered now is told when it is rendered after what comes next.
        if scripts.recovery.rendering != nil || scripts.isReloading, case .failure = report {
            return
        }
        switch report {
        case .failure(let failed):
            var error = FlowError(failed)
            if case .worker(let news)? = clock.underWay.last?.input.kind, isKept(news, failed) {
                error.notes.append(
                    "what \(news.worker) gave is kept: a reload gives it again, and so does a retry"
                )
            }
            _ = reported(error)
        case .dropped(let path, let reason):
            let word =
                switch reason {
                case .nodeEnded: "node_ended"
                case .notDeclared: "not_declared"
                case .hostShutDown, .workerStopped: "session_closed"
                }
            log.add(.dropped(node: path, action: nil, reason: word))
        default: log.add(.log(level: .warning, message: report.description, location: nil))
        }
    }

    /// An error, of which the log has told.
    func reported(_ error: FlowError) -> FlowError {
        let error = error.inFolder(scripts.folder)
        log.add(.error(error), cause: clock.underWay.isEmpty ? nil : clock.cause ?? clock.news)
        return error
    }
}

extension FlowError {
    /// The flow error behind a failure of the tree.
    init(_ failure: WorkflowFailure) {
        if var own = failure.error as? FlowError {
            if own.node == nil { own.node = failure.path.description }
            self = own
        } else {
            self.init(.host, "\(failure.error)")
            node = failure.path.description
        }
    }
}
