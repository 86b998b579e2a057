import LuaVM
import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

/// A flow whose states are put up and played from, in any order.
final class ExploredFlow {
    /// All that what happens next depends on.
    struct Moment {
        let tree: TreeSnapshot
        let random: RandomState
        let ended: [Timeline.EndedWorker]
        /// What the flow shows, and what it is seen by.
        let rendering: Value
        let state: Value
        let workers: [DeclaredWorker]

        /// About how many bytes it takes; the state of the root is part of the tree.
        var byteCount: Int { tree.byteCount + rendering.byteCount }

        /// What tells this moment from others: random numbers matter only once they are drawn.
        var key: Key { Key(root: tree.root, ended: Set(ended)) }
    }

    struct Key: Hashable {
        let root: TreeSnapshot.Node
        let ended: Set<Timeline.EndedWorker>
    }

    /// What became of a step.
    enum Outcome {
        /// - Parameter played: How many inputs of the step there was something to play with.
        case moved(Moment, hasOutput: Bool, played: Int)
        case failed(FlowError)
    }

    private(set) var flow: LuaFlow
    private let props: Value
    private var failure: FlowError?
    private var hasOutput = false

    init(_ source: FlowSource, options: FlowExplorationOptions) throws(FlowError) {
        var natives = NativeWorkflows()
        options.registerNativeWorkflows(&natives)
        let configuration = FlowConfiguration(
            limits: options.limits, nativeWorkflows: natives,
            workers: CheckedWorkers(registry: options.plugins), checksRenders: true)
        switch source {
        case .file(let path): flow = try LuaFlow(file: path, configuration: configuration)
        case .text(let text, let name, let modules):
            flow = try LuaFlow(
                source: text, name: name, modules: FlowModules(modules),
                configuration: configuration)
        }
        props = options.props
    }

    /// The beginning, and whether the flow gave an output on the way to it.
    func begin() throws(FlowError) -> (moment: Moment, hasOutput: Bool) {
        let host = try makeHost(nil)
        defer { host.shutDown() }
        return (moment(of: host), hasOutput)
    }

    /// What comes of a step in a moment.
    func play(_ step: ExploredStep, from moment: Moment) -> Outcome {
        do throws(FlowError) {
            if flow.isGone { try flow.recover() }
            flow.randomState = moment.random
            let host = try makeHost(moment)
            defer { host.shutDown() }
            var played = 0
            for input in step.inputs {
                if try play(input, in: host) { played += 1 }
                if let failure { return .failed(failure) }
            }
            return .moved(self.moment(of: host), hasOutput: hasOutput, played: played)
        } catch {
            return .failed(failure ?? error)
        }
    }

    /// - Returns: Whether there was something to play the input with.
    private func play(
        _ input: FlowInput.Kind, in host: WorkflowHost<LuaWorkflow>
    ) throws(FlowError) -> Bool {
        switch input {
        case .action(let action, let node):
            guard let path = NodePath(node) else { return false }
            let outcome = try flow.send(action, to: path, in: host)
            if case .failed(let failed) = outcome { throw failure ?? FlowError(failed) }
            return true
        case .worker(let news):
            guard let outcome = flow.emit(news, in: host) else { return false }
            if case .failed(let failed) = outcome { throw failure ?? FlowError(failed) }
            return true
        case .props(let props):
            host.update(workflow: flow.workflow(props: props))
            return true
        }
    }

    private func makeHost(_ moment: Moment?) throws(FlowError) -> WorkflowHost<LuaWorkflow> {
        failure = nil
        hasOutput = false
        let configuration = HostConfiguration(onReport: { [weak self] report in
            guard case .failure(let failed) = report, let self else { return }
            failure = failure ?? FlowError(failed)
        })
        let host = WorkflowHost(
            workflow: flow.workflow(props: props), restoring: moment?.tree,
            configuration: configuration)
        if let first = host.renderFailures.first {
            host.shutDown()
            throw failure ?? FlowError(first)
        }
        for ended in moment?.ended ?? [] {
            host.retireWorker(at: ended.path, of: ScriptedWorker.self)
        }
        host.onOutput = { [weak self] _ in self?.hasOutput = true }
        return host
    }

    private func moment(of host: WorkflowHost<LuaWorkflow>) -> Moment {
        let workers = host.workers(of: ScriptedWorker.self)
        let root = NodePath([.init(name: flow.name)])
        return Moment(
            tree: host.makeSnapshot(), random: flow.randomState,
            ended: workers.filter(\.hasEnded).map {
                Timeline.EndedWorker(path: $0.path, input: $0.worker.input)
            },
            rendering: host.rendering.value,
            state: host.state(of: LuaWorkflow.self, at: root)?.value ?? .null,
            workers: workers.filter { !$0.hasEnded }.map(DeclaredWorker.init))
    }

    /// Whether an expression is true of a moment: anything but nil and false.
    func holds(_ expression: String, in moment: Moment) throws(FlowError) -> Bool {
        let value: Value
        do throws(FlowError) {
            if flow.isGone { try flow.recover() }
            value = try flow.value(
                of: expression,
                where: [
                    ("state", moment.state), ("rendering", moment.rendering), ("props", props),
                ])
        } catch {
            var error = error
            error.location = nil
            error.locals = []
            error.notes.append("in the expression \(expression)")
            throw error
        }
        switch value {
        case .null, .bool(false): return false
        default: return true
        }
    }
}
