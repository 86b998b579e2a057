/// A type that can be rendered as a child: a workflow, or one with mapped outputs or renderings.
///
/// ```swift
/// let child = flow.workflow(props: ["word": .string(state.word)])
///     .mapOutput { Action.heard($0) }
///     .mapRendering(\.value)
///     .rendered(in: context, key: "flow")
/// ```
public protocol AnyWorkflowConvertible<Rendering, Output> {
    /// The child's rendering.
    associatedtype Rendering
    /// The child's outputs.
    associatedtype Output

    /// Renders the child for a parent. Called by `rendered(in:key:)` and similar functions. A type
    /// that wraps a child passes all on, with a mapped route if its outputs differ.
    ///
    /// - Parameters:
    ///   - context: The context of the parent's render.
    ///   - key: Distinguishes children of one type.
    ///   - site: The source line that renders the child, for messages.
    ///   - route: The route of the child's outputs.
    func render<Parent, Route: OutputRoute<Output>>(
        in context: RenderContext<Parent>, key: String, site: CallSite, route: Route
    ) -> Rendering
}

extension AnyWorkflowConvertible {
    /// This child, type-erased; see ``AnyWorkflow``.
    ///
    /// ```swift
    /// let title = Stopwatch().asAnyWorkflow()  // AnyWorkflow<String, Never>
    /// ```
    public func asAnyWorkflow() -> AnyWorkflow<Rendering, Output> { AnyWorkflow(self) }
}

extension Workflow {
    /// Renders this workflow's node below the parent's, or gives the last rendering of a node that
    /// need not render again.
    ///
    /// - Parameters:
    ///   - context: The context of the parent's render.
    ///   - key: Distinguishes children of one type.
    ///   - site: The source line that renders the child, for messages.
    ///   - route: The route of the node's outputs.
    @inlinable
    public func render<Parent, Route: OutputRoute<Output>>(
        in context: RenderContext<Parent>, key: String, site: CallSite, route: Route
    ) -> Rendering {
        context.render(self, key: key, site: site, route: route)
    }
}
