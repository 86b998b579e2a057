/// A parent's wish to render a child: under which key, and what becomes of the child's outputs.
///
/// Made by `rendered(in:key:)` and its relatives; a type of your own that conforms to
/// ``AnyWorkflowConvertible`` receives it and passes it on.
public struct ChildRequest<Parent: Workflow, Route: OutputRoute> {
    @usableFromInline let context: RenderContext<Parent>
    @usableFromInline let key: String
    @usableFromInline let site: CallSite
    @usableFromInline let route: Route

    @inlinable
    init(context: RenderContext<Parent>, key: String, site: CallSite, route: Route) {
        self.context = context
        self.key = key
        self.site = site
        self.route = route
    }

    /// The same request for a child whose outputs `transform` turns into those asked for; `nil` drops
    /// an output.
    @inlinable
    public func mapOutput<ChildOutput>(
        _ transform: @escaping (ChildOutput) throws -> Route.Output?
    ) -> ChildRequest<Parent, MappedRoute<ChildOutput, Route>> {
        mapOutput(.partial(transform))
    }

    @inlinable
    func mapOutput<ChildOutput>(
        _ transform: OutputTransform<ChildOutput, Route.Output>
    ) -> ChildRequest<Parent, MappedRoute<ChildOutput, Route>> {
        ChildRequest<Parent, MappedRoute<ChildOutput, Route>>(
            context: context, key: key, site: site,
            route: MappedRoute(transform: transform, base: route))
    }
}
