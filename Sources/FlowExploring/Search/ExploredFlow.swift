import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

/// A flow whose states are put up and played from, in any order.
final class ExploredFlow {
    /// All that what happens next depends on.
    struct Moment {
        let checkpoint: Timeline.Checkpoint
        /// What the flow shows, and what it is seen by.
        let rendering: Value
        let state: Value
        let workers: [DeclaredWorker]

        /// About how many bytes it takes; the state of the root is part of the tree.
        var byteCount: Int { checkpoint.byteCount + rendering.byteCount }

        /// What tells this moment from others: random numbers matter only once they are drawn.
        var key: Key { Key(root: checkpoint.tree?.root, ended: Set(checkpoint.ended)) }
    }

    struct Key: Hashable {
        let root: TreeSnapshot.Node?
        let ended: Set<WorkerRun>
    }

    /// What became of a step.
    enum Outcome {
        /// - Parameter played: How many inputs of the step there was something to play with.
        case moved(Moment, hasOutput: Bool, played: Int)
        case failed(FlowError)
    }

    /// The name of the flow, which is that of its root.
    let name: String
    let actionTypes: [String]
    private let player: FlowPlayer

    init(_ source: FlowSource, options: FlowExplorationOptions) throws(FlowError) {
        player = FlowPlayer(
            options: FlowOptions(
                props: options.props, limits: options.limits, keepsTimeline: false,
                registerNativeWorkflows: options.registerNativeWorkflows),
            log: FlowEventLog(now: { 0 }, journal: nil, onEvent: { _ in }),
            workers: CheckedWorkers(registry: options.plugins),
            interruption: options.interrupt)
        try player.open(source, restoring: options.snapshot)
        name = player.flow?.name ?? ""
        actionTypes = player.flow?.actionTypes ?? []
    }

    /// The moment that is put up, and whether the flow gave an output on the way to it.
    func current() throws(FlowError) -> (moment: Moment, hasOutput: Bool) {
        guard let checkpoint = player.checkpoint() else {
            throw FlowError(.misuse, "the session is closed")
        }
        let moment = Moment(
            checkpoint: checkpoint, rendering: player.rendering, state: player.state() ?? .null,
            workers: player.declaredWorkers.filter { !$0.hasEnded })
        return (moment, !player.takeOutputs().isEmpty)
    }

    /// What comes of a step in a moment; where it leads is then put up.
    func play(_ step: ExploredStep, from moment: Moment) -> Outcome {
        do throws(FlowError) {
            try player.show(moment.checkpoint)
            _ = player.takeOutputs()
            var played = 0
            for input in step.inputs {
                if case .worker(let news) = input, !isDeclared(news) { continue }
                try player.play(input)
                played += 1
            }
            let (moment, hasOutput) = try current()
            return .moved(moment, hasOutput: hasOutput, played: played)
        } catch {
            return .failed(error)
        }
    }

    private func isDeclared(_ news: WorkerNews) -> Bool {
        player.declaredWorkers.contains { $0.run.path == news.workerPath }
    }

    /// Whether an expression is true of the moment that is put up: anything but nil and false.
    func holds(_ expression: String) throws(FlowError) -> Bool {
        do throws(FlowError) {
            switch try player.value(of: expression) {
            case .null, .bool(false): return false
            default: return true
            }
        } catch {
            var error = error
            error.location = nil
            error.locals = []
            error.notes.append("in the expression \(expression)")
            throw error
        }
    }
}
