/// The source of a session's flow.
///
/// ```swift
/// let todo = try await FlowSession.open(.file("todo.lua"))
/// let counter = try await FlowSession.open(.text(source, name: "counter.lua"))
/// ```
public enum FlowSource: Sendable {
    /// A file, with its modules in the same folder.
    case file(String)
    /// A text. Messages show `name` as its file; `modules` are the texts that it may require.
    case text(String, name: String = "flow.lua", modules: [String: String] = [:])
}

extension FlowSource {
    /// A flow whose root is a native workflow, registered with
    /// ``FlowOptions/registerNativeWorkflows``.
    ///
    /// ```swift
    /// let session = try await FlowSession.open(.native("board"), options: options)
    /// let rendering = await session.rendering  // that of the native workflow
    /// ```
    ///
    /// - Parameters:
    ///   - name: Its registered name. It gets the session's props and gives its outputs.
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
