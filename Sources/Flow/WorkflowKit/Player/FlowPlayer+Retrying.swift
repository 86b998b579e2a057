import Workflow
import WorkflowLua

// What workers gave in vain: it is kept as long as they are declared, and can be given again.
extension FlowPlayer {
    /// Gives again what workers gave and the flow refused, in order. The rest of a worker's outputs
    /// waits after one that is refused again.
    ///
    /// - Parameter path: The path of the worker; by default all workers.
    /// - Returns: How many outputs the flow took.
    /// - Throws: The first error, once all workers were served.
    @discardableResult
    func retry(_ path: NodePath? = nil) throws(FlowError) -> Int {
        settle()
        guard tree != nil, flow != nil else { throw reported(.closed) }
        guard past.parked == nil else {
            throw FlowError(
                .misuse, "workers are held, as an earlier step is shown",
                help: "go to the last step first")
        }
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
        var left = yard.starts.removeRefused(at: path)[...]
        var count = 0
        yard.playsAgain = true
        defer { yard.playsAgain = false }
        // What is taken may make the flow leave the worker out.
        while declaredPaths.contains(path), let next = left.popFirst() {
            let news = WorkerNews(
                node: path.parent, worker: last.name, key: last.key, event: next.event)
            do throws(FlowError) {
                try take(.worker(news))
                count += 1
            } catch {
                if yard.starts.refused(at: path).isEmpty { yard.starts.keep([next], at: path) }
                yard.starts.keep(Array(left), at: path)
                throw error
            }
        }
        return count
    }

    /// Keeps what a worker gave if its action failed, and forgets it if it was given again.
    func keepOrForget(_ input: FlowInput, _ outcome: SendOutcome, after step: Int) {
        guard past.parked == nil, case .worker(let news) = input.kind else { return }
        if case .failed(let failed) = outcome, !failed.leavesStep {
            guard isKept(news, failed) else { return }
            let refused = RefusedOutput(
                event: news.event, reason: FlowError(failed).message,
                milliseconds: input.milliseconds, step: step)
            yard.starts.keep([refused], at: news.workerPath)
        } else if yard.playsNews {
            yard.starts.removeRefused(news.event, at: news.workerPath)
        }
    }

    /// True if what a worker gave is kept after its action failed. A failure that nobody handles is
    /// told, and not lost.
    func isKept(_ news: WorkerNews, _ failed: WorkflowFailure) -> Bool {
        switch news.event {
        case .output, .finished, .failed:
            past.parked == nil && !failed.leavesStep && FlowError(failed).code != .workerFailed
        case .started, .cancelled, .abandoned: false
        }
    }
}

extension WorkflowFailure {
    /// True if the input became a step all the same: what was applied stays, even if it cannot be
    /// rendered.
    var leavesStep: Bool { phase == .render && !refusesProps }
}
