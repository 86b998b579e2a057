extension AnyWorkflowConvertible where Output == Never {
    /// Renders this child of the workflow that `context` belongs to.
    ///
    /// The child's identity is its type and `key`: its node is made on first use, updated while passes
    /// render it, and ended by the first pass that does not.
    ///
    /// - Parameter key: Tells children of one type apart; must be unique among them.
    /// - Returns: What the child shows now.
    @inlinable
    public func rendered<Parent>(
        in context: RenderContext<Parent>, key: String = "",
        file: StaticString = #fileID, line: UInt = #line
    ) -> Rendering {
        render(
            in: context, key: key, site: CallSite(file: file, line: line),
            route: NoRoute<Output>())
    }
}

extension AnyWorkflowConvertible where Output: WorkflowAction {
    /// Renders this child, whose outputs are actions of the parent and are applied to it.
    @inlinable
    public func rendered(
        in context: RenderContext<Output.WorkflowType>, key: String = "",
        file: StaticString = #fileID, line: UInt = #line
    ) -> Rendering {
        render(
            in: context, key: key, site: CallSite(file: file, line: line),
            route: ActionRoute<Output>())
    }
}

extension AnyWorkflowConvertible {
    /// Renders this child and applies to the parent the action that `outputMap` makes of each output.
    ///
    /// - Parameter outputMap: Called within the cascade of the child's action; `nil` means no action. What it
    ///   throws makes the whole cascade fail.
    @inlinable
    public func rendered<Parent, Action: WorkflowAction>(
        in context: RenderContext<Parent>, key: String = "",
        file: StaticString = #fileID, line: UInt = #line,
        outputMap: @escaping (Output) throws -> Action?
    ) -> Rendering where Action.WorkflowType == Parent {
        render(
            in: context, key: key, site: CallSite(file: file, line: line),
            route: MappedRoute(
                transform: .partial(outputMap), base: ActionRoute<Action>()))
    }
}

// The spelling `rendered(with:)` of older texts on Workflow.

extension AnyWorkflowConvertible where Output == Never {
    /// Another spelling of `rendered(in:key:)`.
    @inlinable
    public func rendered<Parent>(
        with context: RenderContext<Parent>, key: String = "",
        file: StaticString = #fileID, line: UInt = #line
    ) -> Rendering {
        rendered(in: context, key: key, file: file, line: line)
    }
}

extension AnyWorkflowConvertible where Output: WorkflowAction {
    /// Another spelling of `rendered(in:key:)`.
    @inlinable
    public func rendered(
        with context: RenderContext<Output.WorkflowType>, key: String = "",
        file: StaticString = #fileID, line: UInt = #line
    ) -> Rendering {
        rendered(in: context, key: key, file: file, line: line)
    }
}
