public import PlainValue

/// The modules of a flow, for native workflows that render them.
///
/// - Important: Valid as long as the flow, on the isolation of the flow.
public struct FlowScripts {
    unowned let runtime: FlowRuntime
    /// The generation of the runtime, since workflows of an earlier one have to be made again.
    private let generation: UInt32

    init(runtime: FlowRuntime) {
        self.runtime = runtime
        generation = runtime.generation
    }

    /// Makes the workflow that a module of the flow defines.
    ///
    /// ```swift
    /// let row = try scripts.workflow("item", props: ["text": "milk"])
    /// let rendering = row.rendered(in: context, key: "1") { output in Board.Move(output) }
    /// ```
    ///
    /// - Parameters:
    ///   - module: The name, as in `require`: `item` is the file `item.lua`.
    ///   - props: The props of the node.
    /// - Throws: A ``FlowError`` if there is no such module, or it does not return a definition.
    public func workflow(_ module: String, props: Value = [:]) throws(FlowError) -> LuaWorkflow {
        let table = try runtime.modules.module(named: module)
        return LuaWorkflow(
            props: props, definition: try runtime.definition(in: table, defaultName: nil),
            runtime: runtime)
    }
}

extension FlowScripts: Equatable {
    /// True if both belong to the same flow and script process.
    public static func == (a: FlowScripts, b: FlowScripts) -> Bool {
        a.runtime === b.runtime && a.generation == b.generation
    }
}
