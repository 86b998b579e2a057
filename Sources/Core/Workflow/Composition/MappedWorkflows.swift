/// A child with mapped outputs; made by `mapOutput(_:)` of a child.
public struct OutputMappedWorkflow<Base: AnyWorkflowConvertible, Output>: AnyWorkflowConvertible {
    @usableFromInline let base: Base
    @usableFromInline let transform: OutputTransform<Base.Output, Output>

    @inlinable
    init(base: Base, transform: OutputTransform<Base.Output, Output>) {
        self.base = base
        self.transform = transform
    }

    /// Renders the base, with its outputs mapped.
    ///
    /// - Parameters:
    ///   - context: The context of the parent's render.
    ///   - key: Distinguishes children of one type.
    ///   - site: The source line that renders the child, for messages.
    ///   - route: The route of the mapped outputs.
    @inlinable
    public func render<Parent, Route: OutputRoute<Output>>(
        in context: RenderContext<Parent>, key: String, site: CallSite, route: Route
    ) -> Base.Rendering {
        base.render(
            in: context, key: key, site: site,
            route: MappedRoute(transform: transform, base: route))
    }
}

/// A child with a mapped rendering; made by `mapRendering(_:)` of a child.
public struct RenderingMappedWorkflow<Base: AnyWorkflowConvertible, Rendering>:
    AnyWorkflowConvertible
{
    /// The outputs of the base.
    public typealias Output = Base.Output

    @usableFromInline let base: Base
    @usableFromInline let transform: (Base.Rendering) -> Rendering

    @inlinable
    init(base: Base, transform: @escaping (Base.Rendering) -> Rendering) {
        self.base = base
        self.transform = transform
    }

    /// Renders the base and maps its rendering.
    ///
    /// - Parameters:
    ///   - context: The context of the parent's render.
    ///   - key: Distinguishes children of one type.
    ///   - site: The source line that renders the child, for messages.
    ///   - route: The route of the base's outputs.
    @inlinable
    public func render<Parent, Route: OutputRoute<Base.Output>>(
        in context: RenderContext<Parent>, key: String, site: CallSite, route: Route
    ) -> Rendering {
        transform(base.render(in: context, key: key, site: site, route: route))
    }
}

extension AnyWorkflowConvertible {
    /// Maps the outputs of this child, most often to actions of the parent. The child stays the
    /// same node, with the identity of the underlying workflow.
    ///
    /// ```swift
    /// LookUp(text: "ab").mapOutput { Action.found($0) }.running(in: context)
    /// ```
    @inlinable
    public func mapOutput<NewOutput>(
        _ transform: @escaping (Output) -> NewOutput
    ) -> OutputMappedWorkflow<Self, NewOutput> {
        OutputMappedWorkflow(base: self, transform: .total(transform))
    }

    /// Maps the rendering of this child each time the parent renders.
    ///
    /// ```swift
    /// let count = Counter(step: 1).mapRendering(\.count).rendered(in: context)  // 0
    /// ```
    @inlinable
    public func mapRendering<NewRendering>(
        _ transform: @escaping (Rendering) -> NewRendering
    ) -> RenderingMappedWorkflow<Self, NewRendering> {
        RenderingMappedWorkflow(base: self, transform: transform)
    }

    /// Handles each output of this child with `apply`, like an action of the parent.
    ///
    /// - Parameter apply: Changes the parent's state and returns the parent's output.
    @inlinable
    public func onOutput<Parent: Workflow>(
        _ apply: @escaping (inout Parent.State, Output) throws -> Parent.Output?
    ) -> OutputMappedWorkflow<Self, AnyWorkflowAction<Parent>> {
        mapOutput { output in
            AnyWorkflowAction<Parent> { state in try apply(&state, output) }
        }
    }

    /// Drops the outputs of this child.
    ///
    /// ```swift
    /// let button = AddButton().ignoringOutput().rendered(in: context)
    /// ```
    @inlinable
    public func ignoringOutput() -> OutputMappedWorkflow<Self, Never> {
        OutputMappedWorkflow(base: self, transform: .partial { _ in nil })
    }
}
