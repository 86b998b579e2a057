public import PlainValue
public import Workflow

extension RenderContext {
    /// A sink as a plain value, as `context:sink` gives it in Lua: for the rendering of a native workflow
    /// that was registered with its type of actions.
    ///
    /// - Parameter action: The action as a plain value, or a part of it to which the sender adds fields.
    public func valueSink(_ action: Value) -> Value {
        ["$sink": ["node": .string(path.description), "action": action]]
    }
}
