/// A parent's wish to render a child: under which key, and what becomes of the child's outputs.
///
/// Made by `rendered(in:key:)` and its relatives; a type of your own that conforms to
/// ``AnyWorkflowConvertible`` receives it and passes it on.
public struct ChildRequest<Parent: Workflow, Output> {
    @usableFromInline let context: RenderContext<Parent>
    @usableFromInline let key: String
    @usableFromInline let site: CallSite
    /// Hands an output to the parent's node; `nil` when the child emits none.
    @usableFromInline let route: ((Output, AnyNode) throws -> Void)?
    /// Whether `route` may hold values of this render, so that the child must take it in every pass.
    @usableFromInline let renewsRoute: Bool

    @inlinable
    init(
        context: RenderContext<Parent>, key: String, site: CallSite,
        route: ((Output, AnyNode) throws -> Void)?, renewsRoute: Bool
    ) {
        self.context = context
        self.key = key
        self.site = site
        self.route = route
        self.renewsRoute = renewsRoute
    }

    /// The same request for a child whose outputs `transform` turns into those asked for; `nil` drops
    /// an output.
    @inlinable
    public func mapOutput<ChildOutput>(
        _ transform: @escaping (ChildOutput) throws -> Output?
    ) -> ChildRequest<Parent, ChildOutput> {
        let route = route
        return ChildRequest<Parent, ChildOutput>(
            context: context, key: key, site: site,
            route: { output, parent in
                if let mapped = try transform(output) { try route?(mapped, parent) }
            },
            renewsRoute: true)
    }
}
