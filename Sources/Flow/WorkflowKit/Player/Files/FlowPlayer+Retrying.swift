import Workflow
import WorkflowLua

// Refused outputs are kept while their workers are declared, and can be given again.
extension FlowPlayer {
    /// Gives the refused outputs of a worker, by default of all, again; see `FlowSession.retry`.
    /// The first error is thrown after all workers had their turn.
    @discardableResult
    func retry(_ path: NodePath? = nil) throws(FlowError) -> Int {
        settle()
        guard tree != nil, flow != nil else { throw reported(.closed) }
        guard past.parked == nil else { throw FlowError(.heldWorkers) }
        var (count, failure): (Int, FlowError?) = (0, nil)
        for worker in declaredPaths where path == nil || path == worker {
            do throws(FlowError) { count += try retryAll(of: worker) } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return count
    }

    private var declaredPaths: [NodePath] {
        tree?.host.workers(of: ScriptedWorker.self).map(\.path) ?? []
    }

    private func retryAll(of path: NodePath) throws(FlowError) -> Int {
        guard let last = path.components.last else { return 0 }
        var left = workers.starts.removeRefused(at: path)[...]
        var count = 0
        workers.playsAgain = true
        defer { workers.playsAgain = false }
        // An accepted output may lead to a render that leaves the worker out.
        while declaredPaths.contains(path), let next = left.popFirst() {
            let news = WorkerNews(
                node: path.parent, worker: last.name, key: last.key, event: next.event)
            do throws(FlowError) {
                try take(.worker(news))
                count += 1
            } catch {
                // The failed action has kept the output already, unless it never reached the node.
                let starts = workers.starts
                starts.keep((starts.refused(at: path).isEmpty ? [next] : []) + left, at: path)
                throw error
            }
        }
        return count
    }

    /// Keeps an output of a worker if its action failed, and drops it when it is accepted later.
    func keepOrForget(_ input: FlowInput, _ outcome: SendOutcome, after step: Int) {
        guard past.parked == nil, case .worker(let news) = input.kind else { return }
        if case .failed(let failed) = outcome, !failed.leavesStep {
            guard isKept(news, failed) else { return }
            let refused = RefusedOutput(
                event: news.event, reason: FlowError(failed).message,
                milliseconds: input.milliseconds, step: step)
            workers.starts.keep([refused], at: news.workerPath)
        } else if workers.playsNews {
            workers.starts.removeRefused(news.event, at: news.workerPath)
        }
    }

    /// True if an output of a worker is kept after its action failed. The failure of a worker that
    /// the flow does not handle is reported instead.
    func isKept(_ news: WorkerNews, _ failed: WorkflowFailure) -> Bool {
        switch news.event {
        case .output, .finished, .failed:
            past.parked == nil && !failed.leavesStep && FlowError(failed).code != .workerFailed
        case .started, .cancelled, .abandoned: false
        }
    }
}

extension WorkflowFailure {
    /// True if the input became a step all the same: it was applied, but the render failed.
    var leavesStep: Bool { phase == .render && !refusesProps }
}
