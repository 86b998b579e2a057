/// What can be rendered as a child: a workflow, or one whose outputs or renderings are transformed.
public protocol AnyWorkflowConvertible<Rendering, Output> {
    /// What the child shows.
    associatedtype Rendering
    /// What the child emits.
    associatedtype Output

    /// Renders the child for a parent; called by `rendered(in:key:)` and its relatives.
    ///
    /// A type that wraps another child passes the request on, with its outputs mapped where needed.
    func render<Parent, Route: OutputRoute<Output>>(
        for request: ChildRequest<Parent, Route>
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
        for request: ChildRequest<Parent, Route>
    ) -> Rendering {
        request.context.render(self, for: request)
    }
}
