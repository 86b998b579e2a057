import Dispatch
import FlowChecking
import LuaVM
import PlainValue
import Synchronization
import WorkerKit
import WorkflowKit
import WorkflowLua
import WorkflowPlugins

/// Finds the accesses that the workers of a flow's first rendering need. The flow is played without
/// workers, on its own thread, so that it can run in another's call.
enum FirstAccesses {
    static func needed(
        byFlow flow: String, props: Value, limits: LuaVM.Options, registry: WorkerRegistry,
        grants: Grants
    ) -> [NeededGrant] {
        let found = Mutex<[NeededGrant]>([])
        let done = DispatchSemaphore(value: 0)
        DispatchQueue(label: "first accesses").async {
            let needed = play(flow, props, limits, registry).flatMap { worker in
                accesses(of: worker, registry).map { access in
                    NeededGrant(access: grants.compared(access), worker: worker.name, place: nil)
                }
            }
            found.withLock { $0 = needed }
            done.signal()
        }
        done.wait()
        return found.withLock { $0 }
    }

    private static func play(
        _ flow: String, _ props: Value, _ limits: LuaVM.Options, _ registry: WorkerRegistry
    ) -> [WorkerRun] {
        let options = FlowOptions(
            props: props, limits: limits, plugins: registry, keepsTimeline: false)
        let played = options.makeFlow(checksWorkers: true)
        defer { played.abandon() }
        do throws(FlowError) {
            try played.open(.file(flow), restoring: nil)
        } catch {
            // The error is reported when the flow is played.
            return []
        }
        return played.runningWorkers
    }

    private static func accesses(of worker: WorkerRun, _ registry: WorkerRegistry) -> [Access] {
        guard let definition = try? registry.worker(named: worker.name) else { return [] }
        return definition.needs.flatMap { (try? $0.accesses(of: worker.input)) ?? [] }
    }
}
