package import LuaVM

/// A Lua file that plays flows in its own interpreter, such as a file of tests. It belongs to the
/// isolation that made it.
package final class LuaScript {
    package var name: String { module.file }

    private let runtime: FlowRuntime
    private let module: FlowModules.Module
    private let modules: FlowModules
    private let firstRandom: RandomState

    /// Reads a script from a file. It does not run before ``run(providing:)``.
    package init(file path: String, options: LuaFlow.Options) throws(FlowError) {
        (module, modules) = try LuaFlow.Source.file(path)
            .read(upTo: options.limits.sourceLimit, libraries: options.libraries)
        runtime = try FlowRuntime(options: options)
        firstRandom = RandomState(runtime)
    }

    package init(
        source: String, name: String, modules: FlowModules, options: LuaFlow.Options
    ) throws(FlowError) {
        module = FlowModules.Module(file: name, source: Array(source.utf8))
        self.modules = modules
        runtime = try FlowRuntime(options: options)
        firstRandom = RandomState(runtime)
    }

    package var vm: LuaVM { runtime.vm }

    /// - Parameter library: The result of `require "workflow"` in the script and its modules.
    package func run(providing library: LuaReference) throws(FlowError) {
        let loader = runtime.loader(for: modules)
        try runtime.use(loader)
        loader.provide("workflow", library)
        do throws(FlowError) {
            try loader.runScript(module)
        } catch {
            var error = error
            // An error in the whole file has no line, but the file is known.
            if error.location == nil { error.location = .init(file: name, line: 0) }
            throw located(error)
        }
    }

    /// Makes a flow from a root definition in a table of the script.
    package func flow(in table: LuaReference) throws(FlowError) -> LuaFlow {
        LuaFlow(try runtime.definition(in: table, defaultName: nil, isRoot: true), in: runtime)
    }

    package func module(named name: String) throws(FlowError) -> LuaReference {
        try runtime.modules.module(named: name)
    }

    /// Sets the definitions in place of native workflows, by name; an error changes nothing.
    package func setStandIns(_ tables: [String: LuaReference]) throws(FlowError) {
        var standIns: [String: WorkflowDefinition] = [:]
        for (name, table) in tables {
            standIns[name] = try runtime.definition(in: table, defaultName: name, isRoot: true)
        }
        runtime.standIns = standIns
    }

    /// Resets the random numbers to those at the beginning of a session.
    package func restartRandom() { firstRandom.restore(in: runtime) }

    package func file(of flow: LuaFlow) -> String? { flow.definitionLocation?.file }

    /// The flow error of a call into the script. An error that a host function raised is unchanged.
    package func error(_ error: LuaError) -> FlowError { located(FlowError(error)) }

    /// The error with the source around its place.
    package func located(_ error: FlowError) -> FlowError {
        runtime.modules.completed(error, phase: .load, node: nil)
    }
}
