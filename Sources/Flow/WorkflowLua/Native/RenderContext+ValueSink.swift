public import PlainValue
public import Workflow

extension RenderContext {
    /// Makes a sink as a plain value, like `context:sink` in Lua, for a native workflow that was
    /// registered with its action type.
    ///
    /// ```swift
    /// let rendering: Value = ["volume": 3, "louder": context.valueSink(["by": 1])]
    /// ```
    ///
    /// - Parameter action: The action, or a part of it to which the sender adds fields.
    public func valueSink(_ action: Value) -> Value {
        ["$sink": ["node": .string(path.description), "action": action]]
    }
}
