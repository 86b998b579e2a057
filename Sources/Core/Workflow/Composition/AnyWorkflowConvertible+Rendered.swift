extension AnyWorkflowConvertible where Output == Never {
    /// Renders this child of the workflow of `context`.
    ///
    /// The type and `key` identify the child. Its node is created on first use, updated by each
    /// pass that renders it, and ended by the first pass that does not.
    ///
    /// ```swift
    /// let red = Counter(step: 1).rendered(in: context, key: "red")
    /// let blue = Counter(step: 5).rendered(in: context, key: "blue")
    /// ```
    ///
    /// - Important: Two children of one type and key in one render are reported, and the second one
    ///   gets a new node in each pass.
    /// - Returns: The child's rendering.
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
    /// Renders this child, and applies its outputs to the parent as actions.
    ///
    /// ```swift
    /// let add = AddButton().mapOutput { Action.typed("\($0)") }.rendered(in: context)
    /// ```
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
    /// Renders this child, maps each output with `outputMap` to an action, applied to the parent.
    ///
    /// ```swift
    /// let add = AddButton().rendered(in: context) { $0 > 0 ? Action.typed("\($0)") : nil }
    /// ```
    ///
    /// - Parameters:
    ///   - key: Distinguishes children of one type; must be unique among them.
    ///   - outputMap: Called within the cascade of the child's action; `nil` means no action. An
    ///     error makes the whole cascade fail.
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

// `rendered(with:)` is the spelling of older texts on Workflow.

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
