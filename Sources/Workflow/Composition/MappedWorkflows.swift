/// A child whose outputs are turned into others; made by ``AnyWorkflowConvertible/mapOutput(_:)``.
public struct OutputMappedWorkflow<Base: AnyWorkflowConvertible, Output>: AnyWorkflowConvertible {
    @usableFromInline let base: Base
    @usableFromInline let transform: OutputTransform<Base.Output, Output>

    @inlinable
    init(base: Base, transform: OutputTransform<Base.Output, Output>) {
        self.base = base
        self.transform = transform
    }

    /// Renders the base, with its outputs mapped.
    @inlinable
    public func render<Parent, Route: OutputRoute<Output>>(
        in context: RenderContext<Parent>, key: String, site: CallSite, route: Route
    ) -> Base.Rendering {
        base.render(
            in: context, key: key, site: site,
            route: MappedRoute(transform: transform, base: route))
    }
}

/// A child whose rendering is turned into another; made by ``AnyWorkflowConvertible/mapRendering(_:)``.
public struct RenderingMappedWorkflow<Base: AnyWorkflowConvertible, Rendering>:
    AnyWorkflowConvertible
{
    /// What the base emits.
    public typealias Output = Base.Output

    @usableFromInline let base: Base
    @usableFromInline let transform: (Base.Rendering) -> Rendering

    @inlinable
    init(base: Base, transform: @escaping (Base.Rendering) -> Rendering) {
        self.base = base
        self.transform = transform
    }

    /// Renders the base and transforms what it shows.
    @inlinable
    public func render<Parent, Route: OutputRoute<Base.Output>>(
        in context: RenderContext<Parent>, key: String, site: CallSite, route: Route
    ) -> Rendering {
        transform(base.render(in: context, key: key, site: site, route: route))
    }
}

extension AnyWorkflowConvertible {
    /// This child with its outputs turned into others, most often into actions of the parent.
    ///
    /// The child stays the same node: its identity is that of the underlying workflow.
    @inlinable
    public func mapOutput<NewOutput>(
        _ transform: @escaping (Output) -> NewOutput
    ) -> OutputMappedWorkflow<Self, NewOutput> {
        OutputMappedWorkflow(base: self, transform: .total(transform))
    }

    /// This child with its rendering turned into another, each time the parent renders.
    @inlinable
    public func mapRendering<NewRendering>(
        _ transform: @escaping (Rendering) -> NewRendering
    ) -> RenderingMappedWorkflow<Self, NewRendering> {
        RenderingMappedWorkflow(base: self, transform: transform)
    }

    /// This child with each output handled by `apply`, as if it were an action of the parent.
    ///
    /// - Parameter apply: Advances the parent's state; what it returns is the parent's output.
    @inlinable
    public func onOutput<Parent: Workflow>(
        _ apply: @escaping (inout Parent.State, Output) throws -> Parent.Output?
    ) -> OutputMappedWorkflow<Self, AnyWorkflowAction<Parent>> {
        mapOutput { output in
            AnyWorkflowAction<Parent> { state in try apply(&state, output) }
        }
    }

    /// This child with its outputs dropped.
    @inlinable
    public func ignoringOutput() -> OutputMappedWorkflow<Self, Never> {
        OutputMappedWorkflow(base: self, transform: .partial { _ in nil })
    }
}
