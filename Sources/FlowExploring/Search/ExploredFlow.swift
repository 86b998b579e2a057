import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

/// A flow that can be played from any of its states.
final class ExploredFlow {
    /// A moment: everything that the next step depends on.
    struct Moment {
        let checkpoint: FlowCheckpoint
        /// The flow's rendering and state.
        let rendering: Value
        let state: Value
        let workers: [WorkerRun]

        /// The approximate size in bytes. The root's state is part of the tree.
        var byteCount: Int { checkpoint.byteCount + rendering.byteCount }

        /// The identity of the moment. Random numbers matter only when they are drawn.
        var key: Key { Key(root: checkpoint.tree?.root, ended: Set(checkpoint.ended)) }
    }

    struct Key: Hashable {
        let root: TreeSnapshot.Node?
        let ended: Set<WorkerRun>
    }

    /// The result of a step.
    enum Outcome {
        /// - Parameter played: The number of the step's inputs that could be played.
        case moved(Moment, hasOutput: Bool, played: Int)
        case failed(FlowError)
    }

    /// The name of the flow.
    let name: String
    let actionTypes: [String]
    private let player: any PlayedFlow

    init(_ source: FlowSource, options: FlowExplorationOptions) throws(FlowError) {
        let own = FlowOptions(
            props: options.props, limits: options.limits, plugins: options.plugins,
            keepsTimeline: false, registerNativeWorkflows: options.registerNativeWorkflows)
        player = own.makeFlow(checksWorkers: true, interruption: options.interrupt)
        try player.open(source, restoring: options.snapshot)
        name = player.flow?.name ?? ""
        actionTypes = player.flow?.actionTypes ?? []
    }

    /// The current moment, and whether the flow gave an output on the way to it.
    func current() throws(FlowError) -> (moment: Moment, hasOutput: Bool) {
        guard let checkpoint = player.checkpoint() else {
            throw FlowError(.misuse, "the session is closed")
        }
        let moment = Moment(
            checkpoint: checkpoint, rendering: player.rendering,
            state: player.state(of: nil) ?? .null,
            workers: player.runningWorkers)
        return (moment, !player.takeOutputs().isEmpty)
    }

    /// Plays a step from a moment. The new moment is then the current one.
    func play(_ step: ExploredStep, from moment: Moment) -> Outcome {
        do throws(FlowError) {
            try player.show(moment.checkpoint, asMoveOf: nil)
            _ = player.takeOutputs()
            var played = 0
            for input in step.inputs {
                if case .worker(let news) = input, !isRunning(news) { continue }
                try player.play(input, by: nil)
                played += 1
            }
            let (moment, hasOutput) = try current()
            return .moved(moment, hasOutput: hasOutput, played: played)
        } catch {
            return .failed(error)
        }
    }

    private func isRunning(_ news: WorkerNews) -> Bool {
        player.runningWorkers.contains { $0.path == news.workerPath }
    }

    /// True if an expression is neither nil nor false in the current moment.
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
