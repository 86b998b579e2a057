import WorkflowKit
import WorkflowLua

/// Routes the reports of an interpreter, which flows may share, to the played flow.
final class FlowRouter {
    var flow: TestedFlow?
    /// The memory that the flows of the test keep, for undo and for recordings.
    var kept = KeptBytes()
    let onPrint: (FlowLog) -> Void

    init(onPrint: @escaping (FlowLog) -> Void) { self.onPrint = onPrint }

    func luaOptions(_ options: FlowTestOptions) -> LuaFlow.Options {
        var natives = NativeWorkflows()
        options.registerNativeWorkflows(&natives)
        var luaOptions = LuaFlow.Options(
            limits: options.limits, nativeWorkflows: natives,
            now: { self.flow?.now.milliseconds ?? 0 }, onPrint: onPrint,
            checksRenders: options.checksRenders)
        luaOptions.libraries = options.libraries
        luaOptions.report(to: { self.flow?.player }, checkingWorkersBy: options.plugins)
        return luaOptions
    }
}
