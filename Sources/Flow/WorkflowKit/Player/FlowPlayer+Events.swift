import PlainValue
import Workflow
import WorkflowLua

extension FlowPlayer {
    var listener: any FlowListener { processing.silence ?? self }
}

// Assembles live reports to inputs, and logs them.
extension FlowPlayer: FlowListener {
    var time: Int { log.time }
    var principal: String? { log.principal }

    func begin(_ kind: FlowInput.Kind) {
        guard let flow else { return }
        let input = FlowInput(kind, milliseconds: log.time, by: log.principal)
        log.setEarliest(input.milliseconds)
        holdWorkers()
        // Refusals since the last input come from looks and replays, not from this input.
        if processing.underWay.isEmpty { _ = workers.gated?.takeNew() }
        processing.untaken.makeRoom()
        log.inputTime = input.milliseconds
        processing.underWay.append(
            InputUnderWay(
                input: input, random: flow.randomState, start: FlowOptions.coarseClock()))
        (processing.cause, processing.news) = (nil, nil)
    }

    func inputEnded(_ outcome: SendOutcome) {
        // An output that arrives after its worker was cancelled is not an input.
        if case .dropped = outcome { return }
        guard let ended = processing.underWay.popLast() else { return }
        var input = ended.input
        let refusals = tellRefusals()
        input.refusals = workers.replayed ?? refusals
        log.inputTime = processing.underWay.last?.input.milliseconds
        guard let tree, let flow else { return }
        keepOrForget(input, outcome, after: tree.step)
        switch outcome {
        case .applied: addStep(of: input, tree, since: ended.start)
        // An applied input stays applied, even if the render fails.
        case .failed(let failed) where failed.leavesStep:
            addStep(of: input, tree, since: ended.start)
        case .failed(let failed) where options.keepsTimeline && !FlowError(failed).code.isCut:
            past.timeline.append(failed: input, after: tree.step)
            flow.randomState = ended.random
        // The input was rolled back, so its draws of random numbers are too.
        default: flow.randomState = ended.random
        }
        if options.onInput != nil { releaseWorkers() }
        host.onInputEnd?()
    }

    /// Logs the workers that were refused since the last call.
    func tellRefusals() -> [WorkerRefusal] {
        let refusals = workers.gated?.takeNew() ?? []
        for refusal in refusals { log.add(.refused(refusal)) }
        return refusals
    }

    /// Adds an applied input to the timeline; it began at `start` by ``FlowOptions/coarseClock()``.
    func addStep(of input: FlowInput, _ tree: FlowTree, since start: Int) {
        guard let flow else { return }
        if past.parked != nil { leavePast(startingAt: tree.step + 1) }
        tree.step += 1
        if options.keepsTimeline {
            // A tree after a failed pass does not follow from its states alone, so it is not kept.
            let isDue = past.timeline.append(input, time: FlowOptions.coarseClock() - start)
            if isDue, tree.isWhole { past.timeline.add(checkpoint(of: tree, flow)) }
        }
        assert(!options.keepsTimeline || tree.step == timeline.count)
        if !log.isMuted { options.onInput?(input, tree.step) }
    }

    func printed(_ line: FlowLog) {
        let location = line.location?.inFolder(scripts.folder)
        let level: FlowEvent.LogLevel = line.isNote ? .warning : .info
        // A mistake may be found in the text and again when the line runs.
        if line.isNote, let location, !scripts.noted.insert(location).inserted { return }
        log.add(.log(level: level, message: line.message, location: location))
    }

    /// Logs likely mistakes in the files that have just been loaded.
    func tellMistakes() {
        guard let mistakes = options.mistakes, case .file = scripts.source, let flow else { return }
        let folder = scripts.folder
        let start = folder.isEmpty || folder == "/" ? folder : folder + "/"
        for var mistake in mistakes(flow.files.map { start + $0 }) {
            mistake.location?.file.removeFirst(start.count)
            printed(mistake)
        }
    }

    func actionBegan(_ action: AppliedAction) {
        // The input begins only now, since actions that were queued before it may have run first.
        if action.source == "client" { begin(.action(action.action, node: action.node)) }
        log.add(.action(action.action, node: action.node, source: action.source))
        if processing.cause == nil { processing.cause = log.sequence }
    }

    func workerReported(_ news: WorkerNews) {
        begin(.worker(news))
        log.add(.worker(news.event, worker: news.worker, key: news.key, node: news.node))
        processing.news = log.sequence
    }

    func rendered(_ value: Value) {
        // A renewal renders the same states again: only another rendering is an event.
        guard scripts.recovery.rendering.map({ $0 != value }) ?? true else { return }
        processing.pass += 1
        log.add(
            .rendering(value, actions: flow?.actionTypes ?? [], pass: processing.pass),
            cause: processing.cause)
    }

    func gave(output: Value) {
        processing.untaken.add(output)
        log.add(.output(output))
    }

    func treeReported(_ report: WorkflowReport) {
        // In a renewal or a reload: failures recur in the next pass, or the reload reports them.
        if scripts.recovery.rendering != nil || scripts.isReloading, case .failure = report {
            return
        }
        switch report {
        case .failure(let failed):
            var error = FlowError(failed)
            if case .worker(let news)? = processing.underWay.last?.input.kind,
                isKept(news, failed)
            {
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

    /// Logs an error and returns it, with its file in the flow's folder.
    func reported(_ error: FlowError) -> FlowError {
        let error = error.inFolder(scripts.folder)
        let isOfInput = !processing.underWay.isEmpty
        log.add(.error(error), cause: isOfInput ? processing.cause ?? processing.news : nil)
        return error
    }
}

extension FlowError {
    init(_ failure: WorkflowFailure) {
        if var own = failure.error as? FlowError {
            if own.node == nil { own.node = failure.path }
            self = own
        } else {
            self.init(.host, "\(failure.error)")
            node = failure.path
        }
    }
}
