/// A child of any type that shows a `Rendering` and emits an `Output`.
///
/// It keeps the underlying workflow's identity: wrapping a workflow, or unwrapping it again, does not start a new node.
/// Transforms compose, so a wrapped child can be mapped and wrapped again.
public struct AnyWorkflow<Rendering, Output>: AnyWorkflowConvertible {
    /// What was wrapped.
    public let base: any AnyWorkflowConvertible<Rendering, Output>

    /// Wraps `base`; wrapping an `AnyWorkflow` again adds no layer.
    public init(_ base: some AnyWorkflowConvertible<Rendering, Output>) {
        self.base = (base as? AnyWorkflow)?.base ?? base
    }

    /// Renders what was wrapped.
    public func render<Parent, Route: OutputRoute<Output>>(
        in context: RenderContext<Parent>, key: String, site: CallSite, route: Route
    ) -> Rendering {
        base.render(in: context, key: key, site: site, route: route)
    }
}

// A root, whose node renders what was wrapped as its child.
extension AnyWorkflow: Workflow {
    /// Renders what was wrapped, and emits its outputs.
    public func render(state: Void, context: RenderContext<AnyWorkflow>) -> Rendering {
        rendered(in: context) { AnyWorkflowAction<AnyWorkflow>(sendingOutput: $0) }
    }
}
