// Workers, and other children that show nothing.

extension AnyWorkflowConvertible where Rendering == Void, Output == Never {
    /// Runs this child of the workflow of `context`; see `rendered(in:key:)`.
    ///
    /// ```swift
    /// LookUp(text: "ab").ignoringOutput().running(in: context, key: "warm up")
    /// ```
    @inlinable
    public func running<Parent>(
        in context: RenderContext<Parent>, key: String = "",
        file: StaticString = #fileID, line: UInt = #line
    ) {
        rendered(in: context, key: key, file: file, line: line)
    }
}

extension AnyWorkflowConvertible where Rendering == Void, Output: WorkflowAction {
    /// Runs this child, and applies its outputs to the parent as actions.
    ///
    /// ```swift
    /// LookUp(text: state.text).mapOutput { Action.found($0) }.running(in: context)
    /// ```
    @inlinable
    public func running(
        in context: RenderContext<Output.WorkflowType>, key: String = "",
        file: StaticString = #fileID, line: UInt = #line
    ) {
        rendered(in: context, key: key, file: file, line: line)
    }
}

extension AnyWorkflowConvertible where Rendering == Void {
    /// Runs this child, maps each output with `outputMap` to an action, applied to the parent.
    ///
    /// ```swift
    /// LookUp(text: "ab").running(in: context) { $0.isEmpty ? nil : Action.found($0) }
    /// ```
    ///
    /// - Parameters:
    ///   - key: Distinguishes children of one type; must be unique among them.
    ///   - outputMap: Called within the cascade of the child's action; `nil` means no action. An
    ///     error makes the whole cascade fail.
    @inlinable
    public func running<Parent, Action: WorkflowAction>(
        in context: RenderContext<Parent>, key: String = "",
        file: StaticString = #fileID, line: UInt = #line,
        outputMap: @escaping (Output) throws -> Action?
    ) where Action.WorkflowType == Parent {
        rendered(in: context, key: key, file: file, line: line, outputMap: outputMap)
    }
}
