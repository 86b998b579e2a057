/// A node type of the workflow tree: its inputs, its state and its rendering.
///
/// ```swift
/// struct Counter: Workflow {
///     var step: Int
///
///     func makeInitialState() -> Int { 0 }
///
///     func render(state: Int, context: RenderContext<Counter>) -> (count: Int, add: Sink<Int>) {
///         let add = context.makeSink(of: Int.self) { times, count in
///             count += times * step
///             return nil
///         }
///         return (state, add)
///     }
/// }
/// ```
///
/// A conforming struct is only a description; its stored properties are the inputs from its parent.
/// The runtime creates a *node* when a parent (or a ``WorkflowHost``) first renders the workflow
/// under a key. It keeps the node's ``State`` between render passes, and ends the node when a
/// completed pass no longer renders it.
///
/// A node renders again only when its state changed, its inputs changed, or one of its descendants
/// renders. Inputs and state are compared with `Equatable` if the type conforms, otherwise field by
/// field.
///
/// The architecture is that of Square's Workflow, <https://square.github.io/workflow/>.
///
/// - Important: A type with a field that cannot be compared (a closure, an object, an existential,
///   an enum with payloads) counts as changed each time unless it is `Equatable`. An instance of a
///   class counts as changed each time, since it may be changed in place.
public protocol Workflow<Rendering, Output>: AnyWorkflowConvertible, SendableMetatype {
    /// The state that a node keeps between render passes; `Void` for a stateless workflow.
    associatedtype State

    /// The outputs that a node emits to its parent; `Never` if it emits none.
    associatedtype Output = Never

    /// The result of a render: a view model, a screen, a plain value.
    associatedtype Rendering

    /// Makes the state of a new node. Called once, before its first render.
    func makeInitialState() -> State

    /// Adapts the state to new inputs. Called before the node renders with inputs that differ from
    /// `previousWorkflow`, never for equal ones.
    ///
    /// - Throws: Any error makes the update fail. The node then keeps its inputs and its state, the
    ///   pass fails as with ``RenderContext/fail(_:)``, and the next pass tries again.
    func workflowDidChange(from previousWorkflow: Self, state: inout State) throws

    /// Renders the state, and declares children, workers and side effects.
    ///
    /// - Important: May be called at any time and repeatedly for the same state. It must be
    ///   idempotent, read only `self` and `state`, and use only `context`, which is valid during
    ///   this call.
    func render(state: State, context: RenderContext<Self>) -> Rendering

    /// Distinguishes node types that share one Swift type. With the key it identifies a child. The
    /// default is the Swift type itself. An interpreter of definitions returns the definition's
    /// identity, so that a child with another one starts with a new state.
    var nodeType: ObjectIdentifier { get }

    /// The name of this node type in paths and messages; by default the name of the Swift type.
    var nodeName: String { get }
}

extension Workflow {
    /// Leaves the state unchanged.
    @inlinable
    public func workflowDidChange(from previousWorkflow: Self, state: inout State) {}

    /// The Swift type of the workflow.
    @inlinable
    public var nodeType: ObjectIdentifier { ObjectIdentifier(Self.self) }

    /// The name of the Swift type, without its module.
    public var nodeName: String { typeName(of: Self.self) }
}

extension Workflow where State == Void {
    /// Does nothing: a stateless workflow has no state.
    @inlinable
    public func makeInitialState() {}
}
