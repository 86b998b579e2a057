import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

/// A flow that can be played from any of its states.
final class ExploredFlow {
    /// A moment: everything that the next step depends on.
    struct Moment {
        let checkpoint: FlowCheckpoint
        let rendering: Value
        let state: Value
        let workers: [WorkerRun]
        let timers: ExploredTimers
        /// The workers of which a failure was injected on the way.
        let failed: Set<NodePath>

        /// The approximate size in bytes. The root's state is part of the tree.
        var byteCount: Int { checkpoint.byteCount + rendering.byteCount }

        /// The identity of the moment. Random numbers matter only when they are drawn.
        var key: Key {
            Key(
                root: checkpoint.tree?.root, ended: Set(checkpoint.ended), order: timers.order,
                failed: failed)
        }
    }

    struct Key: Hashable {
        let root: TreeSnapshot.Node?
        let ended: Set<WorkerRun>
        let order: [WorkerRun: Set<WorkerRun>]
        let failed: Set<NodePath>
    }

    /// Collects the actions that are applied, also those that outputs cause.
    private final class Hearing {
        var actions: [Value] = []
    }

    enum Outcome {
        /// - Parameter played: The number of the step's inputs that could be played.
        case moved(Moment, hasOutput: Bool, played: Int)
        case failed(FlowError)
    }

    let name: String
    let actionTypes: [String]
    private let player: any PlayedFlow
    private let hearing = Hearing()
    var texts: [String: [UInt8]] { player.flow?.texts ?? [:] }
    /// The actions that began to be applied in the last step, in order.
    var applied: [Value] { hearing.actions }

    init(_ source: FlowSource, options: FlowExplorationOptions) throws(FlowError) {
        var own = FlowOptions(
            props: options.props, limits: options.limits, plugins: options.plugins,
            keepsTimeline: false, registerNativeWorkflows: options.registerNativeWorkflows)
        own.libraries = options.libraries
        player = own.makeFlow(
            checksWorkers: true, interruption: options.interrupt,
            onEvent: { [hearing] event in
                if case .action(let action, _, _) = event.kind { hearing.actions.append(action) }
            })
        player.stoppedTime = 0
        try player.open(source, restoring: options.snapshot)
        name = player.flow?.name ?? ""
        actionTypes = player.flow?.actionTypes ?? []
    }

    /// The current moment, and a flag that is true if the flow gave an output on the way to it, by
    /// `step` from the moment `earlier`; both are `nil` at the beginning.
    func current(
        after earlier: Moment? = nil, _ step: ExploredStep? = nil
    ) throws(FlowError) -> (moment: Moment, hasOutput: Bool) {
        guard let checkpoint = player.checkpoint() else { throw FlowError(.closed) }
        let workers = player.runningWorkers
        var timers = earlier?.timers ?? ExploredTimers()
        var failed = earlier?.failed ?? []
        let worker = step?.worker(in: earlier)
        timers.update(fired: worker, workers: workers)
        if let worker, step?.isInjected == true { failed.insert(worker.path) }
        let moment = Moment(
            checkpoint: checkpoint, rendering: player.rendering,
            state: player.state(of: nil) ?? .null, workers: workers, timers: timers, failed: failed)
        return (moment, !player.takeOutputs().isEmpty)
    }

    /// Plays a step from a moment. The new moment is then the current one.
    func play(_ step: ExploredStep, from moment: Moment) -> Outcome {
        hearing.actions = []
        do throws(FlowError) {
            try player.show(moment.checkpoint, asMoveOf: nil)
            player.stoppedTime = moment.timers.milliseconds(of: step.worker(in: moment))
            _ = player.takeOutputs()
            var played = 0
            for input in step.inputs {
                if case .worker(let news) = input, !isRunning(news) { continue }
                try player.play(input, by: nil)
                played += 1
            }
            let (moment, hasOutput) = try current(after: moment, step)
            return .moved(moment, hasOutput: hasOutput, played: played)
        } catch {
            return .failed(error)
        }
    }

    private func isRunning(_ news: WorkerNews) -> Bool {
        player.runningWorkers.contains { $0.path == news.workerPath }
    }

    func holds(_ expression: String) throws(FlowError) -> Bool {
        do throws(FlowError) {
            return try player.value(of: expression).holds
        } catch {
            var error = error
            error.location = nil
            error.locals = []
            error.notes.append("in the expression \(expression)")
            throw error
        }
    }
}

extension ExploredStep {
    /// The worker of the news; `nil` for an action.
    func worker(in moment: ExploredFlow.Moment?) -> WorkerRun? {
        guard case .worker(let news)? = inputs.first else { return nil }
        return moment?.workers.first { $0.path == news.workerPath }
    }
}
