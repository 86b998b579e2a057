import PlainValue
import Workflow
package import WorkflowLua
package import WorkflowPlugins

extension FlowPlayer: PlayedFlow {
    func open(_ source: FlowSource, restoring snapshot: FlowSnapshot?) throws(FlowError) {
        try open(source, restoring: snapshot, replaying: [])
    }

    var stepCount: Int { timeline.count }
    var sender: String? { listener.principal }
    func hear(_ action: AppliedAction) { listener.actionBegan(action) }
    func hear(_ news: WorkerNews) { listener.workerReported(news) }
}

extension FlowOptions {
    /// Makes an unloaded flow for a tool. Its time stands still, and its workers do nothing.
    ///
    /// - Parameter checksWorkers: Checks the inputs of workers by the plugins of the options.
    package func makeFlow(
        checksWorkers: Bool = false, interruption: FlowInterrupt = FlowInterrupt(),
        owner: (any Actor)? = nil, onEvent: @escaping (FlowEvent) -> Void = { _ in }
    ) -> any PlayedFlow {
        FlowPlayer(
            options: self, checksWorkers: checksWorkers, interruption: interruption, owner: owner,
            onEvent: onEvent)
    }
}

extension LuaFlow.Options {
    /// Makes an interpreter that several flows share report to the flow that is played.
    ///
    /// - Parameters:
    ///   - flow: Returns that flow; `nil` if none is played.
    ///   - registry: Checks the inputs of workers, which do nothing by themselves.
    package mutating func report(
        to flow: @escaping () -> (any PlayedFlow)?, checkingWorkersBy registry: WorkerRegistry
    ) {
        workers = CheckedWorkers(registry: registry)
        principal = { flow()?.sender }
        onAction = { flow()?.hear($0) }
        onWorker = { flow()?.hear($0) }
    }
}
