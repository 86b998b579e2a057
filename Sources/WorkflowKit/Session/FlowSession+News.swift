import PlainValue
import WorkerKit
package import Workflow
package import WorkflowLua

/// What happens in the tree, put together to inputs and told as events.
extension FlowSession {
    /// Notes an input that is about to be dealt with.
    func begin(_ kind: FlowInput.Kind) {
        guard let flow, !isPlayingBack else { return }
        let input = FlowInput(kind, milliseconds: log.time)
        holdWorkers()
        newOutputs.makeRoom()
        log.inputTime = input.milliseconds
        underWay.append((input, flow.randomState))
        cause = nil
        failure = nil
    }

    func noteProcessed(_ outcome: SendOutcome) {
        // What comes too late from a worker is no input.
        if case .dropped = outcome { return }
        guard !isPlayingBack, let (input, random) = underWay.popLast() else { return }
        log.inputTime = underWay.last?.input.milliseconds
        guard let tree, let flow else { return }
        switch outcome {
        case .applied: keep(input, tree, flow)
        // What was applied stays so, even if it cannot be rendered.
        case .failed(let failed) where failed.phase == .render && !failed.refusesProps:
            keep(input, tree, flow)
        // As if the action had never come.
        default: flow.randomState = random
        }
        if options.onInput != nil { releaseWorkers() }
        if !idleWaiters.isEmpty, !tree.hasRunningWorkers { resumeIdleWaiters() }
    }

    func keep(_ input: FlowInput, _ tree: FlowTree, _ flow: LuaFlow) {
        if parked != nil { leavePast() }
        tree.step += 1
        if options.keepsTimeline {
            timeline.append(input) { tree.isWhole ? checkpoint(of: tree, flow) : nil }
        }
        if !log.isMuted { options.onInput?(input, tree.step) }
    }

    func note(_ line: FlowLog) {
        guard !isPlayingBack else { return }
        log.add(.log(level: .info, message: line.message, location: line.location))
    }

    func note(_ line: WorkerLines.Line) {
        log.add(
            .log(
                level: FlowEvent.LogLevel(line.level), message: "\(line.worker): \(line.text)",
                location: nil))
    }

    func note(_ action: AppliedAction) {
        guard !isPlayingBack else {
            if reviewed?.action == nil {
                reviewed?.action = action.action["type"]?.string ?? action.action.string
            }
            return
        }
        // Only now: others may have waited before it.
        if action.source == "client" { begin(.action(action.action, node: action.node)) }
        log.add(.action(action.action, node: action.node, source: action.source))
        if cause == nil { cause = log.sequence }
    }

    func note(_ news: WorkerNews) {
        guard !isPlayingBack else { return }
        begin(.worker(news))
        let phase: FlowEvent.WorkerPhase =
            switch news.content {
            case .output(let value): .output(value)
            case .finished: .finished
            case .failed(let error): .failed(error)
            }
        log.add(.worker(phase, worker: news.worker, key: news.key, node: news.node))
    }

    func note(_ phase: WorkerPhase, at path: NodePath) {
        // In the past workers are held; they start when the session goes on from there.
        guard !isPlayingBack, parked == nil, let worker = path.components.last else { return }
        let node = NodePath(Array(path.components.dropLast())).description
        switch phase {
        case .started:
            workerStarts[path] = log.time
            log.add(.worker(.started, worker: worker.name, key: worker.key, node: node))
        case .cancelled:
            workerStarts[path] = nil
            log.add(.worker(.cancelled, worker: worker.name, key: worker.key, node: node))
        case .finished, .failed: workerStarts[path] = nil
        case .gaveOutput: break
        }
    }

    func noteRendering(_ value: Value) {
        guard !isPlayingBack, revived.map({ $0 != value }) ?? true else { return }
        pass += 1
        log.add(.rendering(value, actions: actionTypes, pass: pass), cause: cause)
    }

    func note(output: Value) {
        guard !isPlayingBack else {
            reviewed?.outputs.append(output)
            return
        }
        newOutputs.add(output)
        log.add(.output(output))
    }

    func note(_ report: WorkflowReport) {
        // What cannot be rendered now is told when it is rendered after what comes next.
        if revived != nil, case .failure = report { return }
        if isPlayingBack {
            if case .failure(let failed) = report { failure = failure ?? FlowError(failed) }
            return
        }
        switch report {
        case .failure(let failed):
            let error = noted(FlowError(failed))
            failure = failure ?? error
        case .dropped(let path, let reason):
            log.add(
                .dropped(
                    node: path.description, action: nil,
                    reason: reason == .nodeEnded ? "node_ended" : "session_closed"))
        default: log.add(.log(level: .warning, message: report.description, location: nil))
        }
    }

    func noted(_ error: FlowError) -> FlowError {
        log.add(.error(error), cause: underWay.isEmpty ? nil : cause)
        return error
    }
}

extension FlowError {
    /// The flow error behind a failure of the tree.
    package init(_ failure: WorkflowFailure) {
        if var own = failure.error as? FlowError {
            if own.node == nil { own.node = failure.path.description }
            self = own
        } else {
            self.init(.host, "\(failure.error)")
            node = failure.path.description
        }
    }
}

extension FlowEvent.LogLevel {
    fileprivate init(_ level: WorkerLogger.Level) {
        self =
            switch level {
            case .debug: .debug
            case .info: .info
            case .warning: .warning
            case .error: .error
            }
    }
}
