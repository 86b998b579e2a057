/// Where a session's flow comes from.
public enum FlowSource: Sendable {
    /// A file, whose folder holds its modules.
    case file(String)
    /// A text; `name` is what messages show as its file, `modules` are the texts it may require.
    case text(String, name: String = "flow.lua", modules: [String: String] = [:])
}

extension FlowSource {
    /// A flow whose root is a native workflow, registered with ``FlowOptions/registerNativeWorkflows``.
    ///
    /// - Parameters:
    ///   - name: The name that it is registered under; its props are those of the session, and its outputs the session's.
    ///   - modules: The texts of the modules that it may render.
    public static func native(_ name: String, modules: [String: String] = [:]) -> FlowSource {
        let name = name.debugDescription
        return .text(
            """
            return {
                name = "host",
                apply = { output = function(_, action) return action.output end },
                render = function(_, context)
                    return context:render(\(name), context.props, { on_output = "output" })
                end,
            }
            """, name: "host.lua", modules: modules)
    }
}
