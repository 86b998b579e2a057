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
        var configuration = FlowConfiguration(
            limits: options.limits, nativeWorkflows: natives,
            now: { (self.flow?.now ?? .zero).rounded / .seconds(1) },
            onPrint: onPrint, checksRenders: options.checksRenders)
        configuration.libraries = options.libraries
        configuration.report(to: { self.flow?.player }, checkingWorkersBy: options.plugins)
        return configuration
    }
}
