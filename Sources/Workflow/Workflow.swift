/// A node type of the workflow tree: what it is given, the state it keeps, and what it renders.
///
/// A conforming struct is only a description; its stored properties are the inputs that a parent
/// hands down. The runtime makes a *node* for it when a parent (or a ``WorkflowHost``) first renders
/// it under a key, keeps the node's ``State`` between render passes, and ends the node when a
/// completed pass no longer renders it.
///
/// A node renders again only when its state changed, its inputs changed, or one of its descendants
/// renders. Inputs and state are compared by `Equatable` where the type has it, otherwise field by field; a type with
/// a field that cannot be compared (a closure, an object, an existential, an enum with payloads) counts as
/// changed each time unless it is `Equatable`.
///
/// The architecture and its vocabulary are those of Square's Workflow,
/// <https://square.github.io/workflow/>.
public protocol Workflow<Rendering, Output>: AnyWorkflowConvertible, SendableMetatype {
    /// What a node remembers between render passes; `Void` for a stateless workflow.
    associatedtype State

    /// The events that a node may emit to its parent; `Never` when it emits none.
    associatedtype Output = Never

    /// What a node shows of itself: a view model, a screen, a plain value.
    associatedtype Rendering

    /// Makes the state of a new node; called once, before its first render.
    func makeInitialState() -> State

    /// Adapts the state to new inputs; called before the node renders with inputs that differ from
    /// `previousWorkflow`, never for equal ones.
    ///
    /// - Throws: Whatever makes the update fail. The node then keeps its inputs and its state, the pass fails as
    ///   after ``RenderContext/fail(_:)``, and the next pass tries again. Most workflows do not throw.
    func workflowDidChange(from previousWorkflow: Self, state: inout State) throws

    /// Turns the state into a rendering, declaring children, workers and side effects on the way.
    ///
    /// It is called at any time and any number of times for the same state, so it must be
    /// idempotent and must do nothing but read `self` and `state` and talk to `context`.
    /// `context` is good for this one call.
    func render(state: State, context: RenderContext<Self>) -> Rendering

    /// Tells node types apart that share one Swift type; with the key it is a child's identity.
    ///
    /// The default is the Swift type itself. A workflow that interprets definitions (a scripted
    /// node, say) returns the identity of its definition, so that a child whose definition is
    /// replaced starts afresh instead of inheriting the other's state.
    var nodeType: ObjectIdentifier { get }

    /// The name of this node type in paths and messages; by default the name of the Swift type.
    var nodeName: String { get }
}

extension Workflow {
    /// Leaves the state as it is.
    @inlinable
    public func workflowDidChange(from previousWorkflow: Self, state: inout State) {}

    /// The Swift type of the workflow.
    @inlinable
    public var nodeType: ObjectIdentifier { ObjectIdentifier(Self.self) }

    /// The name of the Swift type, without its module.
    public var nodeName: String { typeName(of: Self.self) }
}

extension Workflow where State == Void {
    /// A stateless workflow has nothing to remember.
    @inlinable
    public func makeInitialState() {}
}
