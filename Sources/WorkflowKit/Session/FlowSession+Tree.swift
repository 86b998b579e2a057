import LuaVM
import PlainValue
import WorkerKit
import Workflow
import WorkflowLua

extension FlowSession {
    /// A tree whose workers are held; nobody is told of its first rendering.
    func makeTree(
        of flow: LuaFlow, props: Value, restoring snapshot: TreeSnapshot?, step: Int
    ) throws(FlowError) -> FlowTree {
        reviveFlow()
        let flow = self.flow ?? flow
        let gate = WorkerGate(isOpen: false)
        workers.current = gate
        var configuration = HostConfiguration(
            maximumDepth: options.maximumDepth,
            // A session that is being released tells nobody how its workers end.
            onReport: { [weak self] report in
                self?.assumeIsolated { $0.note(report) }
            })
        configuration.clock = options.clock
        configuration.workerExecutor = WorkerThreads.shared
        configuration.executor = options.executor
        configuration.onWorkerPhase = { [weak self] phase, session in
            self?.assumeIsolated { $0.note(phase, at: session.path) }
        }
        let host = WorkflowHost(
            workflow: flow.workflow(props: props), restoring: snapshot,
            configuration: configuration)
        if let first = host.renderFailures.first {
            host.shutDown()
            throw (first.error as? FlowError) ?? FlowError(.host, "\(first.error)")
        }
        host.onRendering = { [unowned self] rendering in
            let value = rendering.value
            assumeIsolated { $0.noteRendering(value) }
        }
        host.onOutput = { [unowned self] output in
            assumeIsolated { $0.note(output: output) }
        }
        host.onProcessed = { [unowned self] outcome in
            assumeIsolated { $0.noteProcessed(outcome) }
        }
        let tree = FlowTree(
            host: host, gate: gate, props: props, step: step, generation: flow.generation)
        if options.isolation == .process {
            let own = OwnTree(tree: tree)
            host.onWork = { [unowned self] in assumeIsolated { $0.revive(own.tree) } }
        }
        return tree
    }
}

/// A tree in a closure that the session alone calls.
///
/// `@unchecked Sendable` because it never leaves the session's isolation; the tree's own host keeps the closure.
private struct OwnTree: @unchecked Sendable {
    unowned let tree: FlowTree
}
