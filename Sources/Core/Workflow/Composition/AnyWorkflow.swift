/// A type-erased child with a `Rendering` and an `Output`.
///
/// It keeps the identity of the underlying workflow: wrapping or unwrapping does not start a new
/// node. A wrapped child can be mapped and wrapped again.
public struct AnyWorkflow<Rendering, Output>: AnyWorkflowConvertible {
    /// The wrapped child.
    public let base: any AnyWorkflowConvertible<Rendering, Output>

    /// Wraps `base`; wrapping an `AnyWorkflow` again adds no layer.
    ///
    /// ```swift
    /// let titles = [AnyWorkflow(Stopwatch()), AnyWorkflow(Profile(id: 7))]
    /// ```
    public init(_ base: some AnyWorkflowConvertible<Rendering, Output>) {
        self.base = (base as? AnyWorkflow)?.base ?? base
    }

    /// Renders the wrapped child, whose route is passed on.
    ///
    /// - Parameters:
    ///   - context: The context of the parent's render.
    ///   - key: Distinguishes children of one type.
    ///   - site: The source line that renders the child, for messages.
    ///   - route: The route of the wrapped child's outputs, which is passed on.
    public func render<Parent, Route: OutputRoute<Output>>(
        in context: RenderContext<Parent>, key: String, site: CallSite, route: Route
    ) -> Rendering {
        guard context.node.isPlain else {
            return renderSeen(in: context, key: key, site: site, route: route)
        }
        return base.render(in: context, key: key, site: site, route: route)
    }
}

// As a root, its node renders the wrapped workflow as a child.
extension AnyWorkflow: Workflow {
    /// Renders the wrapped child, and emits its outputs.
    public func render(state: Void, context: RenderContext<AnyWorkflow>) -> Rendering {
        rendered(in: context) { AnyWorkflowAction<AnyWorkflow>(sendingOutput: $0) }
    }
}
