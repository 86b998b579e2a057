import WorkflowKit
import WorkflowLua

/// Tells what an interpreter reports apart by the flow that is being played: several may share it.
final class FlowRouter {
    /// The flow that is being played now.
    var flow: TestedFlow?
    /// What the flows of the test keep, for going back and for recordings.
    var kept = KeptBytes()
    let onPrint: (FlowLog) -> Void

    init(onPrint: @escaping (FlowLog) -> Void) { self.onPrint = onPrint }

    /// The settings of an interpreter that reports here.
    func configuration(_ options: FlowTestOptions) -> FlowConfiguration {
        var natives = NativeWorkflows()
        options.registerNativeWorkflows(&natives)
        return FlowConfiguration(
            limits: options.limits, nativeWorkflows: natives,
            workers: CheckedWorkers(registry: options.plugins),
            now: { self.flow?.time.seconds ?? 0 }, onPrint: onPrint,
            onAction: { self.flow?.note($0) }, onWorker: { self.flow?.note($0) },
            checksRenders: options.checksRenders)
    }
}
