/// Delivers a child's outputs to its parent; see `render(in:key:site:route:)`. The type of a route
/// describes how it is composed. So a parent that renders the same child in each pass can pass a
/// new route without nesting closures.
public protocol OutputRoute<Output>: SendableMetatype {
    /// The child's outputs.
    associatedtype Output

    /// True if a route may capture values of a render, so that each pass must set it anew.
    static var isRenewed: Bool { get }

    /// Delivers an output to the parent, within the cascade of the child's action.
    ///
    /// - Throws: Any error makes the whole cascade fail.
    func deliver(_ output: Output, to parent: ParentNode) throws
}

extension OutputRoute {
    /// The route of a child whose outputs `transform` maps to this route's; `nil` drops an output.
    @inlinable
    public func mapOutput<ChildOutput>(
        _ transform: @escaping (ChildOutput) throws -> Output?
    ) -> MappedRoute<ChildOutput, Self> {
        MappedRoute(transform: .partial(transform), base: self)
    }
}

/// The node that receives a child's outputs. Only the runtime makes and uses one.
public struct ParentNode {
    @usableFromInline let node: AnyNode

    @inlinable
    init(_ node: AnyNode) { self.node = node }
}

/// The route of a child that emits nothing, or whose outputs are dropped.
public struct NoRoute<Output>: OutputRoute {
    @inlinable
    init() {}

    /// False: nothing is captured.
    @inlinable
    public static var isRenewed: Bool { false }

    /// Drops the output.
    @inlinable
    public func deliver(_ output: Output, to parent: ParentNode) {}
}

/// The route of a child whose outputs are actions of its parent.
public struct ActionRoute<Action: WorkflowAction>: OutputRoute {
    @inlinable
    init() {}

    /// False: nothing is captured.
    @inlinable
    public static var isRenewed: Bool { false }

    /// Applies the action to the parent.
    ///
    /// - Throws: ``MisroutedOutput`` if a conversion has rendered a child in the context of another
    ///   workflow than the one whose route it was given.
    @inlinable
    public func deliver(_ output: Action, to parent: ParentNode) throws {
        guard parent.node.swiftType == ObjectIdentifier(Action.WorkflowType.self) else {
            throw MisroutedOutput(Action.self)
        }
        // Sound because nodes of equal types are of one class.
        try unsafeDowncast(parent.node, to: Node<Action.WorkflowType>.self).apply(output)
    }
}

/// The error of an action that a route has led to a node of another workflow type.
public struct MisroutedOutput: Error, CustomStringConvertible {
    /// The name of the action's type.
    public let actionType: String

    @usableFromInline
    init(_ type: any WorkflowAction.Type) { actionType = typeName(of: type) }

    /// A sentence that names the action and says what the conversion has to do.
    public var description: String {
        "the output \(actionType) is an action of another workflow: a conversion has to render its "
            + "child with the context and the route that it was given"
    }
}

/// The route of a child whose outputs are mapped to those of another route.
public struct MappedRoute<Output, Base: OutputRoute>: OutputRoute {
    @usableFromInline let transform: OutputTransform<Output, Base.Output>
    @usableFromInline let base: Base

    @inlinable
    init(transform: OutputTransform<Output, Base.Output>, base: Base) {
        self.transform = transform
        self.base = base
    }

    /// True: the closure belongs to one render.
    @inlinable
    public static var isRenewed: Bool { true }

    /// Delivers the mapped output.
    @inlinable
    public func deliver(_ output: Output, to parent: ParentNode) throws {
        if let mapped = try transform(output) { try base.deliver(mapped, to: parent) }
    }
}

/// A closure that maps outputs. It keeps its form, because a conversion would wrap it in another.
@usableFromInline
enum OutputTransform<From, To> {
    case total((From) -> To)
    case partial((From) throws -> To?)

    @inlinable
    func callAsFunction(_ output: From) throws -> To? {
        switch self {
        case .total(let body): body(output)
        case .partial(let body): try body(output)
        }
    }
}

@usableFromInline
class KeptRoute<Output> {
    @usableFromInline typealias Body = (KeptRoute, Output, ParentNode) throws -> Void

    /// Delivers an output by the route. It captures nothing, and is specialised where it is made.
    @usableFromInline let body: Body

    @usableFromInline
    init(body: @escaping Body) { self.body = body }

    @inlinable
    final func deliver(_ output: Output, to parent: ParentNode) throws {
        try body(self, output, parent)
    }
}

/// A stored route of a known type. Each pass replaces the route with a new one of the same type.
@usableFromInline
final class TypedRoute<Route: OutputRoute>: KeptRoute<Route.Output> {
    @exclusivity(unchecked)
    @usableFromInline var route: Route

    @inlinable
    init(_ route: Route) {
        self.route = route
        super.init { kept, output, parent in
            // Sound because the body is stored with the route that it was made for.
            try unsafeDowncast(kept, to: TypedRoute.self).route.deliver(output, to: parent)
        }
    }
}
