/// What can be rendered as a child: a workflow, or one whose outputs or renderings are transformed.
public protocol AnyWorkflowConvertible<Rendering, Output> {
    /// What the child shows.
    associatedtype Rendering
    /// What the child emits.
    associatedtype Output

    /// Renders the child for a parent; called by `rendered(in:key:)` and its relatives.
    ///
    /// A type that wraps another child passes all of it on, the route mapped where its outputs differ.
    ///
    /// - Parameters:
    ///   - context: The context of the parent's render.
    ///   - key: Tells children of one type apart.
    ///   - site: The line that renders the child, for messages.
    ///   - route: The way of the child's outputs.
    func render<Parent, Route: OutputRoute<Output>>(
        in context: RenderContext<Parent>, key: String, site: CallSite, route: Route
    ) -> Rendering
}

extension AnyWorkflowConvertible {
    /// The same child with its type erased; see ``AnyWorkflow``.
    public func asAnyWorkflow() -> AnyWorkflow<Rendering, Output> { AnyWorkflow(self) }
}

extension Workflow {
    /// Renders this workflow's node below the parent's.
    @inlinable
    public func render<Parent, Route: OutputRoute<Output>>(
        in context: RenderContext<Parent>, key: String, site: CallSite, route: Route
    ) -> Rendering {
        context.render(self, key: key, site: site, route: route)
    }
}
